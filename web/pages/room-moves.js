// @ts-check
import { gameOf } from "../games/list.js";
import { refusal, text } from "../texts/texts.js";
import { whyNot } from "../views/status-line.js";

/**
 * Moves to the targets of the board. `asked` has those for which this page has sent moves that have no answer yet;
 * `draw` is called when they change. `refuse` gets the reason why a move is impossible, empty if one is in flight.
 * @param {import("./room-session.js").RoomSession} room
 * @param {() => void} draw
 * @param {(target: number, why: string) => void} refuse
 */
export function moves(room, draw, refuse) {
  /** @type {Set<number>} */
  const asked = new Set();
  return {
    asked,
    /** @param {number} target */
    async move(target) {
      if (!room.state?.view) return;
      const game = gameOf(room.state.room.game), why = whyNotNow(room, asked, target);
      refuse(target, why);
      if (why) return;
      // Answer the finger first: only the card looks different yet.
      asked.add(target);
      draw();
      const { type, ...fields } = game.move(target);
      const answer = await room.command(type, fields);
      asked.delete(target);
      draw();
      // Another player was faster, or the clock was.
      if (answer.type === "error") refuse(target, refusal(answer, room.hubTime));
    },
  };
}

/**
 * Everything this page knows against a move: however fast the player is, no more moves start than the turn allows.
 * @param {import("./room-session.js").RoomSession} room
 * @param {Set<number>} asked
 * @param {number} target
 */
function whyNotNow({ lineState, state }, asked, target) {
  const { room, view } = state, game = gameOf(room.game);
  if (lineState !== "open") return text(lineState === "doubtful" ? "line.doubt" : "line.lost");
  const why = whyNot(state, target);
  if (why) return why;
  const underWay = [...asked].filter((other) => !game.whyNot(view, other)).length;
  return asked.has(target) || underWay >= (game.movesLeft?.(view) ?? 1) ? text("now.under-way") : "";
}
