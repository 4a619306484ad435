// @ts-check
import { recall, remember } from "./storage.js";

/**
 * The quick game whose start this browser's host has last postponed: the room, and who sat in it. It holds for all
 * pages of the browser and after a reload, since each page of a host would start the game by itself.
 * @typedef {{room: string, table: string}} Postponed
 */
const KEY = "flipside.postponed-start";

/**
 * @param {string} room its code
 * @param {string} table who sits there
 */
export const postpone = (room, table) => remember(KEY, { room, table });

/**
 * @param {string} room its code
 * @param {string} table who sits there
 */
export function isPostponed(room, table) {
  const postponed = /** @type {Postponed | null} */ (recall(KEY));
  return postponed?.room === room && postponed.table === table;
}
