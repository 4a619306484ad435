// @ts-check

/**
 * What the browser keeps for the page, by key. Where it keeps nothing (storage switched off, or full) the page's own
 * entry in the history of its tab stands in: that outlives a reload, and nothing else.
 */

/**
 * What storage did not take: newer than what is there.
 * @type {Map<string, unknown>}
 */
const refused = new Map(Object.entries(entry()?.kept ?? {}));

/** Nothing of the kind where there is no page, as in tests. */
function entry() { return globalThis.history?.state; }

/**
 * What is kept under `key`; null if nothing is, or nothing that can be read.
 * @param {string} key
 */
export function recall(key) {
  if (refused.has(key)) return refused.get(key);
  try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; }
}

/**
 * Keeps `value` under `key`; null is nothing.
 * @param {string} key
 * @param {unknown} value
 */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    if (!refused.delete(key)) return;
  } catch { refused.set(key, value); }
  note();
}

function note() {
  // Browsers take so many in a while; then it lasts as long as the page.
  try { history.replaceState({ ...entry(), kept: Object.fromEntries(refused) }, ""); } catch { /* As it says. */ }
}

// An entry that the page comes back to knows what was refused when it was left.
globalThis.addEventListener?.("popstate", () => { if (entry()?.kept || refused.size > 0) note(); });

/**
 * Whether another page of this browser finds under `key` what this one does.
 * @param {string} key
 */
export const isShared = (key) => !refused.has(key);
