// @ts-check
import { addTexts } from "../texts/texts.js";
import { connectFour } from "./connect-four/game.js";
import { dotsAndBoxes } from "./dots-and-boxes/game.js";
import { goFish } from "./go-fish/game.js";
import { goofspiel } from "./goofspiel/game.js";
import { memory } from "./memory/game.js";
import { reversi } from "./reversi/game.js";
import { unknownGame } from "./unknown-game.js";

/** @typedef {import("./game.js").Game<any>} Game any game; its parts always get views of this same game */

/** What every game must have; the rest is optional. */
const FIELDS = /** @type {const} */ (["title", "seats", "levels", "buttons", "start", "fold", "targets", "move",
  "mayMove", "whyNot", "turnText", "sentence", "board", "style"]);

/**
 * The games without those that lack a required field: this page does not know them, and all others play. A game is
 * undefined if a module of it threw an error while it loaded, which the hub's joined page has reported.
 * @param {Record<string, Game>} all
 */
export const complete = (all) => Object.fromEntries(Object.entries(all).filter(([name, game]) => {
  const missing = game && FIELDS.find((field) => game[field] === undefined);
  if (missing) console.error(`The module of the game ${name} has no \`${missing}\`.`);
  return game && !missing;
}));

/**
 * The games that a room may play, by name. Only this file and their folders name games.
 * @type {Record<string, Game>}
 */
export const games = complete({
  memory,
  reversi,
  "connect-four": connectFour,
  "dots-and-boxes": dotsAndBoxes,
  "go-fish": goFish,
  goofspiel,
});

/** Whether this page knows the game with this name. */
export const isKnown = (/** @type {string} */ name) => Object.hasOwn(games, name);

/**
 * The game with this name. A stand-in for an unknown one lacks moves and a board, which nothing asks it for.
 * @param {string} name
 * @returns {Game}
 */
export const gameOf = (name) => (isKnown(name) ? games[name] : /** @type {Game} */ (unknownGame));

/**
 * The seats to mark as those whose turn it is.
 * @param {string} name
 * @param {import("./game.js").AnyView} view
 * @returns {number[]}
 */
export const moversOf = (name, view) => gameOf(name).movers?.(view) ?? view.awaited;

for (const { texts } of Object.values(games)) if (texts) addTexts(texts);
