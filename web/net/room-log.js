// @ts-check
import { isOfType, problemOf } from "./hub-answer.js";

/**
 * A room's log as it is downloaded: a line each event, with the bytes that the chain is made of.
 * @typedef {Object} Entry
 * @property {Uint8Array} bytes
 * @property {import("./messages.js").RecordedEvent | null} event null where the bytes are no event at all
 */

/**
 * The log of room `code` after version `after`. Throws what `get` throws; an answer that is no log is an `Error` with
 * its `status`, and with the `code` of the hub's problem where it is the hub's word.
 * @param {string} code
 * @param {number} after
 * @param {(url: string) => Promise<Response>} get
 * @returns {Promise<Entry[]>}
 */
export async function downloadLog(code, after = 0, get = (url) => fetch(url)) {
  const answer = await get(`/api/rooms/${encodeURIComponent(code)}/log?after=${after}`);
  if (!answer.ok || !isOfType(answer, "application/x-ndjson")) {
    const { status } = answer, code = (await problemOf(answer))?.code;
    throw Object.assign(new Error(`The log was answered ${status}.`), { status, code });
  }
  return readLog(new Uint8Array(await answer.arrayBuffer()));
}

/**
 * The lines of a downloaded log. The bytes stay as they came: to decode and encode them might change some.
 * @param {Uint8Array} bytes
 * @returns {Entry[]}
 */
export function readLog(bytes) {
  /** @type {Entry[]} */
  const entries = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start), end = found < 0 ? bytes.length : found;
    entries.push(entryOf(bytes.subarray(start, end)));
    start = end + 1;
  }
  return entries;
}

const utf8 = new TextDecoder();

/**
 * @param {Uint8Array} bytes
 * @returns {Entry}
 */
function entryOf(bytes) {
  try {
    const event = JSON.parse(utf8.decode(bytes));
    return { bytes, event: typeof event?.type === "string" ? event : null };
  } catch { return { bytes, event: null }; }
}
