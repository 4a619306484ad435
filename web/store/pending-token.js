// @ts-check

/**
 * The token with which something has been asked for that has not been answered yet. Asked again with the same token it
 * is the same: not a name that is taken, nor a code that has been used. It lasts as long as the tab, over a reload, and
 * no other page finds it: whoever has a code may become its player.
 * @typedef {{name: string} | {code: string}} Asked
 */
const PENDING = "flipside.pending";
/** What storage did not take: it lasts as long as the page. */
let inMemory = /** @type {string | null} */ (null);

/**
 * A token for what is asked now, the same as the last time if it is the same.
 * @param {Asked} asked
 * @returns {string}
 */
export function pendingToken(asked) {
  const [[field, value]] = Object.entries(asked), before = pending();
  return before?.[field] === value ? before.token : awaitAnswer(asked, drawToken());
}

/**
 * Keeps `token` for when `asked` is asked again.
 * @param {Asked} asked
 * @param {string} token
 */
export function awaitAnswer(asked, token) {
  keep(JSON.stringify({ ...asked, token }));
  return token;
}

/** The answer has come to what was asked with `token`. */
export function settle(/** @type {string} */ token) {
  if (pending()?.token === token) keep(null);
}

/** The code that was asked about is wanted no more. */
export function dropCode() {
  if (pending()?.code) keep(null);
}

function pending() { return JSON.parse(read() ?? "null"); }

function read() {
  try { return inMemory ?? sessionStorage.getItem(PENDING); } catch { return null; }
}

/** @param {string | null} written */
function keep(written) {
  inMemory = null;
  try {
    if (written === null) sessionStorage.removeItem(PENDING);
    else sessionStorage.setItem(PENDING, written);
  } catch { inMemory = written; }
}

/** 32 random bytes in base64url. `crypto.subtle` is missing on plain http in a local network; this is not. */
function drawToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
