// @ts-check
import { text } from "../texts.js";
import * as memory from "./memory-options.js";

/** What a host can choose for a room, whatever its game: words for the form and for lists, options for the hub. */

/** In seconds; 0 is no limit. */
export const TURN_TIMES = [15, 30, 60, 0];

/**
 * What is chosen where nothing has been chosen yet, or as near to a room's options as the form can say.
 * @param {string} game
 * @param {Record<string, any>} [options] a room's
 * @returns {Record<string, string>}
 */
export function chosen(game = "memory", options) {
  const turnTime = String(options?.turnTime ?? 30);
  return { game, turnTime, ...memory.chosen(game === "memory" ? options : undefined) };
}

/**
 * The game and the hub's options for what was chosen.
 * @param {Record<string, string>} choice
 * @returns {{game: string, options: Record<string, any>}}
 */
export function optionsOf({ game, turnTime, ...choice }) {
  const time = { turnTime: Number(turnTime) };
  return { game, options: game === "memory" ? { ...memory.optionsOf(choice), ...time } : time };
}

/**
 * The hub's options for what was chosen otherwise than `before`: a room may have others than the form can say, and what
 * nobody touched stays as it is.
 * @param {Record<string, string>} before
 * @param {Record<string, string>} choice
 * @returns {Record<string, any>}
 */
export function changesOf(before, choice) {
  const changed = Object.keys(choice).filter((name) => choice[name] !== before[name]).flatMap(memory.optionsFor);
  return Object.fromEntries(Object.entries(optionsOf(choice).options).filter(([name]) => changed.includes(name)));
}

/** A room's game and options in a few words each. @param {string} game @param {Record<string, any>} options */
export function describe(game, options) {
  const facts = game === "memory" ? memory.describe(options) : [text(game)];
  const time = options.turnTime;
  if (time === undefined) return facts;
  return [...facts, time ? text("fact.turn-time", { time: duration(time) }) : text("fact.no-time")];
}

/** Seconds in the words of a clock: "12 s", "3:20", "5 h", "2 days". @param {number} seconds */
export function duration(seconds) {
  if (seconds < 100) return text("time.seconds", { count: seconds });
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds < 172_800) return text("time.hours", { count: Math.round(seconds / 3_600) });
  return text("time.days", { count: Math.round(seconds / 86_400) });
}
