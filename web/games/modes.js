// @ts-check
import { games } from "./list.js";

/** The modes that compare results, as the hub names them: `8x8` in Reversi. */

/**
 * The modes of a game, with words for each: those of the form's boards, and those with results, in `seen`.
 * @param {string} game
 * @param {string[]} seen
 */
export function modesOf(game, seen = []) {
  const names = new Set([...(games[game]?.modes ?? []), ...[...new Set(seen)].sort()]);
  return [...names].map((name) => ({ name, label: nameOfMode(game, name) }));
}

/**
 * A mode in the game's words, or else its name, in which `8x8` is "8 × 8".
 * @param {string} game
 * @param {string} mode
 */
export const nameOfMode = (game, mode) =>
  games[game]?.modeText?.(mode) ?? mode.replace(/^(\d+)x(\d+)$/, "$1 × $2");
