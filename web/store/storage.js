// @ts-check

/**
 * What the browser stores for the page, by key. If it stores nothing (storage switched off, or full), the page's own
 * history entry stands in: that outlives only a reload.
 */

/**
 * Values that storage refused: newer than those it has.
 * @type {Map<string, unknown>}
 */
const refused = new Map(Object.entries(entry()?.kept ?? {}));

/** Undefined where there is no page, as in tests. */
function entry() { return globalThis.history?.state; }

/**
 * The value under `key`; null if there is none, or none that can be read.
 * @param {string} key
 */
export function recall(key) {
  if (refused.has(key)) return refused.get(key);
  try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; }
}

/**
 * Stores `value` under `key`; null removes it.
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
  // Browsers limit the rate of these calls; past it, the value lasts as long as the page.
  try { history.replaceState({ ...entry(), kept: Object.fromEntries(refused) }, ""); } catch { /* See above. */ }
}

// When the page comes back to an older entry, that one has outdated values.
globalThis.addEventListener?.("popstate", () => { if (entry()?.kept || refused.size > 0) note(); });

/**
 * Whether another page of this browser finds the same value under `key`.
 * @param {string} key
 */
export const isShared = (key) => !refused.has(key);
