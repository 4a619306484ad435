// @ts-check
import { games } from "./list.js";

/** The modes that compare results: a game's rule and board, as the hub names them (`hard-4x5`). */

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
 * "Hard · 4 × 5" for `hard-4x5`; a name of another form is that of a rule, or stays as it is.
 * @param {string} game
 * @param {string} mode
 */
export function nameOfMode(game, mode) {
  const found = mode.match(/^(?:(.+)-)?(\d+)x(\d+)$/);
  const ruleText = games[game]?.ruleText ?? ((rule) => rule);
  if (!found) return ruleText(mode);
  const [, rule, columns, rows] = found, size = `${columns} × ${rows}`;
  return rule ? `${ruleText(rule)} · ${size}` : size;
}
