// @ts-check
import { has, text } from "../texts.js";

/** What results are compared in: a game's rule and board, as the hub names it (`hard-4x5`). */

/** Those of the boards that the form offers. */
const KNOWN = {
  memory: ["pairs-4x4", "easy-2x5", "medium-2x7", "hard-4x5"],
  reversi: ["8x8"],
};

/**
 * The modes of a game, with words for each: those of the form's boards, and those that results have been `seen` in.
 * @param {string} game
 * @param {string[]} seen
 */
export function modesOf(game, seen = []) {
  const names = new Set([...(KNOWN[game] ?? []), ...[...new Set(seen)].sort()]);
  return [...names].map((name) => ({ name, label: nameOfMode(name) }));
}

/** "Hard · 4 × 5" for `hard-4x5`; what cannot be read so is said as it is. @param {string} mode */
export function nameOfMode(mode) {
  const found = mode.match(/^(?:(.+)-)?(\d+)x(\d+)$/);
  if (!found) return mode;
  const [, rule, columns, rows] = found, size = `${columns} × ${rows}`;
  if (!rule) return size;
  return `${has(`rule.${rule}`) ? text(`rule.${rule}`) : rule} · ${size}`;
}
