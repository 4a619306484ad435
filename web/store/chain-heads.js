// @ts-check
import { recall, remember } from "./storage.js";

/**
 * The heads of each room's chain that this browser has received from the hub: anyone who changed the record later would
 * have to change these notes too.
 */
const KEY = "flipside.heads";
/** Most notes a room, and most rooms: the oldest are dropped first. */
const HEAD_LIMIT = 32;
const ROOM_LIMIT = 64;

/** @typedef {import("../games/check.js").Head} Head */

/** @returns {Record<string, Head[]>} by room, the latest at the end */
const noted = () => recall(KEY) ?? {};

/**
 * The heads noted for a room, oldest first.
 * @param {string} code
 * @returns {Head[]}
 */
export const notedHeads = (code) => noted()[code] ?? [];

/**
 * Notes the head in a `welcome` or `resume`.
 * @param {string} code
 * @param {Head} head
 */
export function noteHead(code, { version, head }) {
  const { [code]: before = [], ...others } = noted();
  // Two notes for one version are the same, or cannot both be true: then both are kept.
  const isNoted = before.some((one) => one.version === version && one.head === head);
  const notes = (isNoted ? before : [...before, { version, head }]).slice(-HEAD_LIMIT);
  remember(KEY, Object.fromEntries([...Object.entries(others), [code, notes]].slice(-ROOM_LIMIT)));
}
