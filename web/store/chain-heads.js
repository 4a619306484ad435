// @ts-check
import { recall, remember } from "./storage.js";

/**
 * What the hub said of each room's chain, noted by this browser while it was there: anyone who changed the record later
 * would have to change these notes, too.
 */
const KEY = "flipside.heads";
/** Most notes of a room, and most rooms: the oldest go first. */
const HEAD_LIMIT = 32;
const ROOM_LIMIT = 64;

/** @typedef {import("../games/check.js").Head} Head */

/** @returns {Record<string, Head[]>} by room, the one noted last at the end */
const noted = () => recall(KEY) ?? {};

/**
 * The heads noted of a room, oldest first.
 * @param {string} code
 * @returns {Head[]}
 */
export const notedHeads = (code) => noted()[code] ?? [];

/**
 * Notes the head that a `welcome` or `resume` told.
 * @param {string} code
 * @param {Head} head
 */
export function noteHead(code, { version, head }) {
  const { [code]: before = [], ...others } = noted();
  // The same version told twice is the same note, or two that cannot both be true: both are kept.
  const isNoted = before.some((one) => one.version === version && one.head === head);
  const notes = (isNoted ? before : [...before, { version, head }]).slice(-HEAD_LIMIT);
  remember(KEY, Object.fromEntries([...Object.entries(others), [code, notes]].slice(-ROOM_LIMIT)));
}
