// @ts-check
import { gameOf } from "../games/list.js";
import { refusal, text } from "../texts/texts.js";
import { whyNot } from "../views/status-line.js";

/**
 * Moves to the cells of the board. `asked` has the cells to which this page has sent moves that have no answer yet;
 * `draw` is called when they change. `refuse` gets the reason why a move is impossible, empty if one is in flight.
 * @param {import("./room-session.js").RoomSession} room
 * @param {() => void} draw
 * @param {(cell: number, why: string) => void} refuse
 */
export function moves(room, draw, refuse) {
  /** @type {Set<number>} */
  const asked = new Set();
  return {
    asked,
    /** @param {number} cell */
    async move(cell) {
      if (!room.state?.view) return;
      const game = gameOf(room.state.room.game), why = whyNotNow(room, asked, cell);
      refuse(cell, why);
      if (why) return;
      // Answer the finger first: only the card looks different yet.
      asked.add(cell);
      draw();
      const { type, ...fields } = game.move(cell);
      const answer = await room.command(type, fields);
      asked.delete(cell);
      draw();
      // Another player was faster, or the clock was.
      if (answer.type === "error") refuse(cell, refusal(answer, room.hubTime));
    },
  };
}

/**
 * Everything this page knows against a move: however fast the player is, no more moves start than the turn allows.
 * @param {import("./room-session.js").RoomSession} room
 * @param {Set<number>} asked
 * @param {number} cell
 */
function whyNotNow({ lineState, state }, asked, cell) {
  const { room, view } = state, game = gameOf(room.game);
  if (lineState !== "open") return text(lineState === "doubtful" ? "line.doubt" : "line.lost");
  const why = whyNot(state, cell);
  if (why) return why;
  const underWay = [...asked].filter((other) => !game.whyNot(view, other)).length;
  return asked.has(cell) || underWay >= (game.movesLeft?.(view) ?? 1) ? text("now.under-way") : "";
}
