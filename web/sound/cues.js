// @ts-check
import { arrivalsIn } from "../games/arrivals.js";
import { gameOf } from "../games/list.js";
import { isTriumph, plays } from "../views/status-line.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Pause after the sounds of the move that ended the turn or the game, in ms. */
const AFTER = 700;

/**
 * The sounds for a message, on the page whose state is `after`: pure, so that tests can call it. Everyone hears the
 * same board, but only the player whose turn it is hears it begin.
 * @param {import("../games/room.js").HubMessage} message from the hub
 * @param {RoomState} before the state that it arrived in
 * @param {RoomState} after
 * @param {import("../games/game.js").CueFinder} [ofGame] for events of the room's game
 * @returns {import("../games/game.js").Cue[]}
 */
export function cuesOf(message, before, after, ofGame = () => []) {
  switch (message.type) {
    case "turn": case "turns": return isNewTurn(before, after) ? [{ cue: "turn", delay: AFTER }] : [];
    case "game-ended": {
      // The game that follows at once has its own sounds.
      return message.reason === "restart" ? [] : [{ cue: isTriumph(after) ? "win" : "end", delay: AFTER }];
    }
    case "seat-taken": case "presence": {
      return arrivalsIn(before, after).length > 0 ? [{ cue: "arrival", delay: 0 }] : [];
    }
    case "reaction": return [{ cue: "reaction", delay: 0 }];
    default: return ofGame(message, before, after);
  }
}

/** Whether this page's player has the turn and did not have it right before. */
function isNewTurn(/** @type {RoomState} */ { view: before }, /** @type {RoomState} */ after) {
  const { view, you } = after, seat = Number(you.seat);
  if (!view || !plays(after) || !view.awaited.includes(seat) || view.seats.length < 2) return false;
  // A player who found a pair simply continues.
  return !before || gameOf(after.room.game).movedLast?.(before) !== seat;
}
