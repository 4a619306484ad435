// @ts-check
import { DECIDED } from "./sentences.js";

/**
 * @typedef {import("./room.js").Room} Room
 * @typedef {import("../net/messages.js").EventGameEnded} EventGameEnded
 */

/** A game that ends this long after the one before begins another series, in ms. */
const PAUSE = 12 * 3_600_000;
/** The most players that are counted; past it, those who are not playing are dropped. */
const LIMIT = 100;

/**
 * How many games of the series each player has won; empty until there is a win.
 * @param {Room} room before the game's end
 * @param {EventGameEnded} end
 * @returns {Pick<Room, "wins" | "winsUntil">}
 */
export function winsAfter({ wins: before = {}, winsUntil = 0 }, end) {
  const winner = winnerOf(end), earlier = end.t > winsUntil ? {} : before;
  const wins = winner === undefined ? earlier : { ...earlier, [winner]: (earlier[winner] ?? 0) + 1 };
  const isTooMany = winner !== undefined && Object.keys(wins).length > LIMIT;
  const kept = isTooMany ? Object.entries(wins).filter(([player]) => plays(end, player)) : Object.entries(wins);
  return kept.length > 0 ? { wins: Object.fromEntries(kept), winsUntil: end.t + PAUSE } : {};
}

/**
 * `state` as seen at `now`, by the hub's clock: without the wins of a series that is over.
 * @param {import("./room.js").RoomState} state
 * @param {number} now
 * @returns {import("./room.js").RoomState}
 */
export function ofThisSeries(state, now) {
  const { wins, winsUntil, ...room } = state.room;
  return winsUntil === undefined || now <= winsUntil ? state : { ...state, room };
}

const plays = (/** @type {EventGameEnded} */ { results }, /** @type {string} */ player) =>
  results.some((result) => result.player === player);

/**
 * The single winner among several players, if present to the end.
 * @param {EventGameEnded} end
 */
function winnerOf({ results, reason }) {
  const best = results.filter(({ place }) => place === 1);
  const isWon = DECIDED.includes(reason) && results.length > 1 && best.length === 1 && !best[0].left;
  return isWon ? best[0].player : undefined;
}
