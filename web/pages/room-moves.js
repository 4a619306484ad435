// @ts-check
import { games } from "../games/list.js";
import { refusal } from "../texts/texts.js";
import { mayMove, whyNot } from "../views/status-line.js";

/**
 * Moves to the cells of the board. `asked` are those that this page has moved to and has no answer about; `draw` is
 * called when they change.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} draw
 */
export function moves(room, shell, draw) {
  /** @type {Set<number>} */
  const asked = new Set();
  return {
    asked,
    /** @param {number} cell */
    async move(cell) {
      if (!room.state?.view || asked.has(cell) || room.lineState !== "open") return;
      const { view } = room.state, game = games[room.state.room.game];
      if (!mayMove(room.state) || !game.isFree(view, cell)) return shell.toast(whyNot(room.state, cell));
      // However fast somebody is: no more cards begin to turn than the turn allows.
      const underWay = [...asked].filter((other) => game.isFree(view, other)).length;
      if (underWay >= (game.movesLeft?.(view) ?? 1)) return;
      // The finger is answered first: nothing but the card looks different yet.
      asked.add(cell);
      draw();
      const { type, ...fields } = game.move(cell);
      const answer = await room.command(type, fields);
      asked.delete(cell);
      draw();
      // Somebody was faster, or the time was: what the board shows now says so itself.
      if (answer.type === "error" && answer.code !== "not-your-turn") shell.toast(refusal(answer), "bad");
    },
  };
}
