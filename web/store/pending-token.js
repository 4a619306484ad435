// @ts-check
import { sha256 } from "../cryptography/sha256.js";

/**
 * Tokens of requests that have no answer yet. A repeated request with the same token counts as the same one, so the
 * name is not taken and the code not used up. They last as long as the tab, over a reload, even after the user cancels:
 * the hub may have acted, and a recovery code works once. Requests are stored as digests: no one who finds one in the
 * tab can get the code from it.
 * @typedef {{name: string} | {code: string}} Asked
 */
const PENDING = "flipside.pending";
/** Most requests; the oldest is dropped first. */
const LIMIT = 8;
/** What storage refused; it lasts as long as the page. */
let inMemory = /** @type {string | null} */ (null);

/**
 * A token for this request, the same as last time if the request is the same.
 * @param {Asked} asked
 * @returns {string}
 */
export const pendingToken = (asked) =>
  pending().find(([request]) => request === digest(asked))?.[1] ?? awaitAnswer(asked, drawToken());

/**
 * Keeps `token` for when `asked` is requested again.
 * @param {Asked} asked
 * @param {string} token
 */
export function awaitAnswer(asked, token) {
  keep([...pending(), [digest(asked), token]]);
  return token;
}

/** The request with `token` has been answered. */
export function settle(/** @type {string} */ token) { keep(pending().filter(([, one]) => one !== token)); }

const digest = (/** @type {Asked} */ asked) => sha256(new TextEncoder().encode(JSON.stringify(asked)));

/** @returns {[request: string, token: string][]} the newest last */
function pending() {
  try {
    const kept = JSON.parse(inMemory ?? sessionStorage.getItem(PENDING) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch { return []; }
}

/** @param {[request: string, token: string][]} requests */
function keep(requests) {
  const written = JSON.stringify(requests.slice(-LIMIT));
  inMemory = null;
  try { sessionStorage.setItem(PENDING, written); } catch { inMemory = written; }
}

/** 32 random bytes in base64url. `crypto.subtle` is missing on plain http in a local network; this is not. */
function drawToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
