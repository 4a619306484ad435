// @ts-check
import { isOfType, problemOf } from "./hub-answer.js";

/**
 * A room's log as downloaded: one line an event, with the bytes that the chain is made of.
 * @typedef {Object} Entry
 * @property {Uint8Array} bytes
 * @property {import("./messages.js").RecordedEvent | null} event null if the bytes are no event
 */

/**
 * The log of room `code` after version `after`. Passes on what `get` throws. If the answer is not a log, throws an
 * `Error` with its `status`, and with the `code` of the hub's problem if the hub answered.
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
 * The lines of a downloaded log. Keeps the original bytes: decoding and encoding might change some.
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
