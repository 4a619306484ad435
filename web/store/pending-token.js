// @ts-check
import { sha256 } from "../cryptography/sha256.js";

/**
 * Tokens with which something has been asked for that has not been answered yet. Asked again with the same token it is
 * the same: not a name that is taken, nor a code that has been used. They last as long as the tab, over a reload, also
 * where somebody would rather not: the hub may have done it, and a recovery code works once. What was asked for is kept
 * as a digest: anyone who finds it in the tab cannot get the code from it.
 * @typedef {{name: string} | {code: string}} Asked
 */
const PENDING = "flipside.pending";
/** Most requests that are kept; the oldest is given up first. */
const LIMIT = 8;
/** What storage did not take: it lasts as long as the page. */
let inMemory = /** @type {string | null} */ (null);

/**
 * A token for what is asked now, the same as the last time if it is the same.
 * @param {Asked} asked
 * @returns {string}
 */
export const pendingToken = (asked) =>
  pending().find(([request]) => request === digest(asked))?.[1] ?? awaitAnswer(asked, drawToken());

/**
 * Keeps `token` for when `asked` is asked again.
 * @param {Asked} asked
 * @param {string} token
 */
export function awaitAnswer(asked, token) {
  keep([...pending(), [digest(asked), token]]);
  return token;
}

/** The answer has come to what was asked with `token`. */
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
