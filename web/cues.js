// @ts-check
import { isTriumph, plays } from "./views/situation.js";

/**
 * Which sounds an event calls for, on the page whose state is `after`: pure, so that a test hears them. Everyone who
 * looks hears the same board; a turn is told to who has it.
 * @typedef {"flip" | "place" | "match" | "mismatch" | "shuffle" | "turn" | "win" | "end" | "reaction"} Cue
 */

/** When the second card can be seen, in ms after it began to turn: what it means sounds then. */
const SEEN = 340;
/** Behind the sounds of the move that ended the turn or the game. */
const AFTER = 700;

/**
 * @param {any} message what the hub said
 * @param {any} before the state in which it found the page
 * @param {any} after
 * @returns {{cue: Cue, delay: number}[]}
 */
export function cuesOf(message, before, after) {
  switch (message.type) {
    case "show-card": {
      const isMiss = after.view?.revealUntil !== undefined && before.view?.revealUntil === undefined;
      return [{ cue: "flip", delay: 0 }, ...(isMiss ? [{ cue: /** @type {Cue} */ ("mismatch"), delay: SEEN }] : [])];
    }
    case "match": return [{ cue: "match", delay: SEEN }];
    case "cards-shuffled": return [{ cue: "shuffle", delay: 0 }];
    case "place-disc": return [{ cue: "place", delay: 0 }];
    case "turn": return isNewTurn(before, after) ? [{ cue: "turn", delay: AFTER }] : [];
    case "game-ended": return message.results ? [{ cue: isTriumph(after) ? "win" : "end", delay: AFTER }] : [];
    case "reaction": return [{ cue: "reaction", delay: 0 }];
    default: return [];
  }
}

/** Whether this page's player has the turn and did not have it right before. */
function isNewTurn({ view: before }, after) {
  const { view, you } = after;
  if (!plays(after) || view.turn !== you.seat || view.seats.length < 2) return false;
  // Who found a pair goes on: no news. A game that counts no turns passes them with every move.
  const goesOn = before?.turn === view.turn && Object.values(view.turns ?? {}).some((count) => count > 0);
  return !goesOn;
}
