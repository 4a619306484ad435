// @ts-check
import { recall, remember } from "./storage.js";

/**
 * The list of results for the latest game of this browser's player: the leaderboard opens there.
 * @typedef {{game: string, mode: string, against: import("../net/messages.js").Opponents}} Played
 */
const KEY = "flipside.last-played";

/** @returns {Played | null} */
export const lastPlayed = () => recall(KEY);

/**
 * Notes a game that has ended, if `player` was in it.
 * @param {import("../net/messages.js").EventGameEnded} event
 * @param {string | undefined} player
 */
export function noteEnd({ game, mode, results }, player) {
  if (results.some((one) => one.player === player)) remember(KEY, { game, mode, against: opponentsIn(results) });
}

/**
 * The opponents of players with these results.
 * @param {import("../net/messages.js").EventGameEnded["results"]} results
 * @returns {Played["against"]}
 */
export function opponentsIn(results) {
  const people = results.filter(({ bot }) => !bot).length;
  return people > 1 ? "people" : people < results.length ? "computers" : "alone";
}
