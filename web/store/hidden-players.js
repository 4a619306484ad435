// @ts-check
import { recall, remember } from "./storage.js";

/**
 * Players whom somebody does not want to read, in this browser alone: nobody is told. In every room, by their ids.
 */
const KEY = "flipside.hushed";
/** Most that are kept; the oldest is forgotten first. */
const LIMIT = 200;

/** @returns {string[]} ids of players */
export const hiddenPlayers = () => recall(KEY) ?? [];

/**
 * @param {string} player
 * @param {boolean} isOn
 */
export function hidePlayer(player, isOn) {
  const others = hiddenPlayers().filter((other) => other !== player);
  remember(KEY, (isOn ? [...others, player] : others).slice(-LIMIT));
}
