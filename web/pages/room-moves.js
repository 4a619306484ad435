// @ts-check
import { gameOf } from "../games/list.js";
import { refusal, text } from "../texts/texts.js";
import { ownOf, whyNot } from "../views/status-line.js";

/**
 * Moves to the targets of the board. `asked` has those for which this page has sent moves that have no answer yet,
 * `chosen` is the one chosen by the first press of a move that takes two; `draw` is called when they change. `refuse`
 * gets the reason why a move is impossible, empty if one is in flight.
 * @param {import("./room-session.js").RoomSession} room
 * @param {() => void} draw
 * @param {(target: number, why: string) => void} refuse
 */
export function moves(room, draw, refuse) {
  /** @type {Set<number>} */
  const asked = new Set();
  let chosen = /** @type {number | undefined} */ (undefined), chosenIn = "";
  /** What was chosen, unless it has become impossible. In the middle of a commit no one knows yet. */
  const current = () => {
    const { state } = room;
    if (chosen === undefined) return chosen;
    if (chosenIn !== placeOf(state) || (!state.more && whyNot(state, chosen))) chosen = undefined;
    return chosen;
  };
  return {
    asked,
    get chosen() { return current(); },
    /** Takes back what was chosen; returns whether anything was. */
    drop() {
      if (current() === undefined || asked.size > 0) return false;
      chosen = undefined;
      draw();
      return true;
    },
    /** @param {number} target */
    async move(target) {
      if (!room.state?.view) return;
      const { view } = room.state, game = gameOf(room.state.room.game), first = current();
      const command = game.move(target, view, ownOf(room.state, first));
      // A target that has come to need no second press is played by a press, not dropped.
      if (!command && target === first && this.drop()) return refuse(target, "");
      const why = whyNotNow(room, asked, target, first);
      refuse(target, why);
      if (why) return;
      if (!command) {
        [chosen, chosenIn] = [target, placeOf(room.state)];
        return draw();
      }
      // Answer the finger first: only the card looks different yet.
      asked.add(target);
      draw();
      const { type, ...fields } = command;
      const answer = await room.command(type, fields);
      asked.delete(target);
      // After an error the player may press the second one again.
      if (chosen === first && answer.type !== "error") chosen = undefined;
      draw();
      // Another player was faster, or the clock was.
      if (answer.type === "error") refuse(target, refusal(answer, room.hubTime));
    },
  };
}

/**
 * The player and the game that a choice belongs to.
 * @param {import("../games/room.js").RoomState} state
 */
const placeOf = ({ room, you }) => [you.player, room.game, room.gameNumber].join();

/**
 * Everything this page knows against a move: however fast the player is, no more moves start than the turn allows.
 * @param {import("./room-session.js").RoomSession} room
 * @param {Set<number>} asked
 * @param {number} target
 * @param {number} [chosen]
 */
function whyNotNow({ lineState, state }, asked, target, chosen) {
  const { room, view } = state, game = gameOf(room.game), own = ownOf(state, chosen);
  if (lineState !== "open") return text(lineState === "doubtful" ? "line.doubt" : "line.lost");
  const why = whyNot(state, target, chosen);
  if (why) return why;
  const underWay = [...asked].filter((other) => !game.whyNot(view, other, own)).length;
  return asked.has(target) || underWay >= (game.movesLeft?.(view, own) ?? 1) ? text("now.under-way") : "";
}
