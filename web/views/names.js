// @ts-check
import { isComputer } from "../games/room.js";
import { has, text } from "../texts/texts.js";

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

/**
 * The strength of a computer player: a number, or a word of the game's.
 * @param {string} game
 * @param {string} level
 */
export function levelText(game, level) {
  if (/^\d+$/.test(level)) return text("seats.level", { level });
  const key = `${game}.level.${level}`;
  return has(key) ? text(key) : level;
}
