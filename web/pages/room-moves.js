// @ts-check
import { gameOf } from "../games/list.js";
import { refusal, text } from "../texts/texts.js";
import { whyNot } from "../views/status-line.js";

/**
 * Moves to the cells of the board. `asked` are those that this page has moved to and has no answer about; `draw` is
 * called when they change, `refuse` with why a move cannot be, and with nothing where one is under way.
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
      // The finger is answered first: nothing but the card looks different yet.
      asked.add(cell);
      draw();
      const { type, ...fields } = game.move(cell);
      const answer = await room.command(type, fields);
      asked.delete(cell);
      draw();
      // Somebody was faster, or the time was.
      if (answer.type === "error") refuse(cell, refusal(answer, room.hubTime));
    },
  };
}

/**
 * All that this page knows against a move: however fast somebody is, no more begin than the turn allows.
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
