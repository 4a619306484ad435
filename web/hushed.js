// @ts-check

/**
 * Players whom somebody does not want to read, in this browser alone: nobody is told. In every room, by their ids.
 */
const KEY = "flipside.hushed";
/** Most that are kept; the oldest is forgotten first. */
const LIMIT = 200;

/** Stands in where the browser keeps nothing. @type {string[]} */
let forNow = [];

/** @returns {string[]} ids of players */
export function hushed() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? forNow; } catch { return forNow; }
}

/** @param {string} player @param {boolean} isOn */
export function hush(player, isOn) {
  const others = hushed().filter((other) => other !== player);
  forNow = (isOn ? [...others, player] : others).slice(-LIMIT);
  try { localStorage.setItem(KEY, JSON.stringify(forNow)); } catch { /* Kept in `forNow` all the same. */ }
}
