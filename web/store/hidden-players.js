// @ts-check
import { recall, remember } from "./storage.js";

/**
 * Players whose lines the user has hidden, in every room, by their ids; stored only in this browser. No one learns of
 * it.
 */
const KEY = "flipside.hushed";
/** Most hidden players; the oldest is dropped first. */
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
