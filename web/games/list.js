// @ts-check
import { addTexts } from "../texts/texts.js";
import { connectFour } from "./connect-four/game.js";
import { memory } from "./memory/game.js";
import { reversi } from "./reversi/game.js";
import { unknownGame } from "./unknown-game.js";

/** @typedef {import("./game.js").Game<any>} Game whichever: what its parts are given is its own view */

/**
 * The games that a room may play, by name: nothing else outside their folders names any.
 * @type {Record<string, Game>}
 */
export const games = { memory, reversi, "connect-four": connectFour };

/** Whether this page knows the game of that name. */
export const isKnown = (/** @type {string} */ name) => Object.hasOwn(games, name);

/**
 * The game of that name. Of one that this page does not know all but its moves and its board, which nobody asks it for.
 * @param {string} name
 * @returns {Game}
 */
export const gameOf = (name) => (isKnown(name) ? games[name] : /** @type {Game} */ (unknownGame));

/** What each has; the rest it may leave out. */
const FIELDS = ["title", "seats", "levels", "buttons", "start", "fold", "move", "mayMove", "whyNot",
  "turnText", "sentence", "board", "style"];

/** Throws where a game leaves out what each has: told at once, not where it is first missed. */
export function fieldsThere(/** @type {Record<string, Game>} */ all) {
  for (const [name, game] of Object.entries(all)) {
    const missing = FIELDS.find((field) => !(field in game));
    if (missing) throw new TypeError(`The module of the game ${name} has no \`${missing}\`.`);
  }
}
fieldsThere(games);
for (const { texts } of Object.values(games)) if (texts) addTexts(texts);
