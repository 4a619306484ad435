// @ts-check
import { opponentsIn } from "./last-played.js";
import { recall, remember } from "./storage.js";

/** The best result of each player on each board, as this browser has seen it. */
const KEY = "flipside.bests";
/** Most of them; the one noted longest ago goes first. */
const LIMIT = 60;

/** @typedef {{score: number, turns?: number, time: number}} Result */

/**
 * Notes what a game has come to for `player`; whether it is better than all before on that board and against the same
 * kind of opponents. Whoever has lost among people is not told of it.
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
 * Notes a result, and gives the best one before it where this is better: the higher score, then fewer turns, then less
 * time. Null where it is not, or the first.
 * @param {string} player
 * @param {string} board what results are compared within
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
