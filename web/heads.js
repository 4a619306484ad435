// @ts-check

/**
 * What the hub said of each room's chain, noted by this browser while it was there: whoever changed the record later
 * would have to change these notes, too.
 */
const KEY = "flipside.heads";
/** Most notes of a room, and most rooms: the oldest go first. */
const HEAD_LIMIT = 32;
const ROOM_LIMIT = 64;

/** @typedef {import("./games/check.js").Head} Head */

/** Stands in where the browser keeps nothing. */
let forNow = /** @type {Record<string, Head[]>} */ ({});

/** @returns {Record<string, Head[]>} by room, the one noted last at the end */
function kept() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "null") ?? forNow; } catch { return forNow; }
}

/**
 * The heads noted of a room, oldest first.
 * @param {string} code
 * @returns {Head[]}
 */
export const notedHeads = (code) => kept()[code] ?? [];

/**
 * Notes the head that a `welcome` or `resume` told.
 * @param {string} code
 * @param {Head} head
 */
export function noteHead(code, { version, head }) {
  const { [code]: before = [], ...others } = kept();
  // The same version told twice is the same note, or two that cannot both be true: both are kept.
  const isNoted = before.some((one) => one.version === version && one.head === head);
  const notes = (isNoted ? before : [...before, { version, head }]).slice(-HEAD_LIMIT);
  forNow = Object.fromEntries([...Object.entries(others), [code, notes]].slice(-ROOM_LIMIT));
  try { localStorage.setItem(KEY, JSON.stringify(forNow)); } catch { /* Kept in `forNow` all the same. */ }
}
