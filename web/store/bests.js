// @ts-check
import { opponentsIn } from "./last-played.js";
import { recall, remember } from "./storage.js";

/** Each player's best result on each board, as this browser has seen it. */
const KEY = "flipside.bests";
/** Most results; the oldest is dropped first. */
const LIMIT = 60;

/** @typedef {{score: number, turns?: number, time: number}} Result */

/**
 * Records the result of a game for `player`; returns whether it beats all earlier ones on the same board and against
 * the same kind of opponents. A player who lost among people is not told.
 * @param {import("../net/messages.js").EventGameEnded} end
 * @param {string | undefined} player
 */
export function noteOwnBest({ game, mode, reason, results }, player) {
  const own = results.find((result) => result.player === player), against = opponentsIn(results);
  if (!own || !player || reason !== "finished" || own.left || own.helped) return false;
  const before = noteBest(player, `${game}/${mode}/${against}`, own);
  return before !== null && (against !== "people" || own.place === 1);
}

/**
 * Records a result, and returns the best one before it if this is better: the higher score, then fewer turns, then less
 * time. Null if it is not better, or is the first.
 * @param {string} player
 * @param {string} board the mode that results are compared in
 * @param {Result} result
 * @returns {Result | null}
 */
export function noteBest(player, board, { score, turns, time }) {
  const name = `${player}/${board}`;
  const { [name]: before, ...others } = /** @type {Record<string, Result>} */ (recall(KEY) ?? {});
  const isBest = !before || isBetter({ score, turns, time }, before);
  const best = isBest ? { score, turns, time } : before;
  remember(KEY, Object.fromEntries([...Object.entries(others), [name, best]].slice(-LIMIT)));
  return isBest && before ? before : null;
}

function isBetter(/** @type {Result} */ one, /** @type {Result} */ other) {
  const by = [one.score - other.score, (other.turns ?? 0) - (one.turns ?? 0), other.time - one.time];
  return (by.find((difference) => difference !== 0) ?? 0) > 0;
}
