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

/** From this many characters on, words are long. */
const LONG = 13;

/** Whether words are shown smaller where space is short. */
export const isLong = (/** @type {string} */ words, limit = LONG) => [...words].length >= limit;

/** The player of `seat`: in a game that is being dealt or running the one who plays there, else who sits there now. */
export function whoOfSeat(/** @type {RoomState} */ state, /** @type {number} */ seat) {
  const { status, dealing, players = [], seats } = state.room;
  // During the deal, `players` are still those of the game before.
  const those = status === "dealing" || status === "running" ? dealing?.seats ?? players : [];
  return whoIs(state, [...those, ...seats].find((one) => one.seat === seat && one.player !== undefined)?.player);
}

/** The players of the game that is shown, by their seats. */
export const whoIn = (/** @type {RoomState} */ state) => (/** @type {number} */ number) =>
  whoIs(state, [...(state.room.players ?? []), ...state.room.seats].find(({ seat }) => seat === number)?.player);

/**
 * The name for a sentence about `player`.
 * @param {RoomState} state
 * @param {string | undefined} player
 */
export function whoIs(state, player) {
  if (player === undefined) return { name: text("someone"), isYou: false };
  return { name: nameOf(state, player), isYou: player === state.you.player };
}

/** The names of levels in every game, weakest first; a game with fewer levels uses those in the middle. */
const LEVELS = ["very-easy", "easy", "medium", "hard", "expert"];

/**
 * The strength of a computer player, in the hub's word if the page does not know it.
 * @param {string} game
 * @param {string} level
 */
export function levelText(game, level) {
  const levels = games[game]?.levels ?? [], place = levels.indexOf(level);
  const name = LEVELS[Math.floor((LEVELS.length - levels.length) / 2) + place];
  return place >= 0 && name ? text(`level.${name}`) : level;
}
