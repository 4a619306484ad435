// @ts-check
import { games } from "../games/list.js";
import { isComputer } from "../games/room.js";
import { text } from "../texts/texts.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * @param {RoomState} state
 * @param {string} player
 */
export function nameOf(state, player) {
  if (isComputer(player)) return text("computer", { number: Number(player.slice(4)) + 1 });
  return state.names[player] ?? text("someone");
}

/** From here on words are long, in signs. */
const LONG = 13;

/** Whether words are shown smaller where there is little room. */
export const isLong = (/** @type {string} */ words, limit = LONG) => [...words].length >= limit;

/** Whoever has `seat`: where a game is dealt or runs who plays there, else who sits there now. */
export function whoOfSeat(/** @type {RoomState} */ state, /** @type {number} */ seat) {
  const { status, dealing, players = [], seats } = state.room;
  // While cards are dealt, `players` are still those of the game before.
  const those = status === "dealing" || status === "running" ? dealing?.seats ?? players : [];
  return whoIs(state, [...those, ...seats].find((one) => one.seat === seat && one.player !== undefined)?.player);
}

/**
 * What a sentence about `player` says.
 * @param {RoomState} state
 * @param {string | undefined} player
 */
export function whoIs(state, player) {
  if (player === undefined) return { name: text("someone"), isYou: false };
  return { name: nameOf(state, player), isYou: player === state.you.player };
}

/** What levels are called in every game, the weakest first; a game with fewer of them has those in the middle. */
const LEVELS = ["very-easy", "easy", "medium", "hard", "expert"];

/**
 * The strength of a computer player; as the hub says it, where the page does not know it.
 * @param {string} game
 * @param {string} level
 */
export function levelText(game, level) {
  const levels = games[game]?.levels ?? [], place = levels.indexOf(level);
  const name = LEVELS[Math.floor((LEVELS.length - levels.length) / 2) + place];
  return place >= 0 && name ? text(`level.${name}`) : level;
}
