// @ts-check

/**
 * A browser's storage: for all its pages, for this tab, and in the tab's history of one entry. Import it before the
 * modules that use it.
 */
export const storage = {
  shared: /** @type {Map<string, string>} */ (new Map()), ofTheTab: /** @type {Map<string, string>} */ (new Map()),
  entry: /** @type {{state: any}} */ ({ state: null }), isFull: false, isOff: false,
};

const stands = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, value });
stands("localStorage", storing(storage.shared));
stands("sessionStorage", storing(storage.ofTheTab));
stands("history", {
  get state() { return storage.entry.state; },
  replaceState(state) { storage.entry.state = state; },
});

function storing(kept) {
  const guard = () => { if (storage.isOff) throw new Error("SecurityError"); };
  return {
    getItem(key) {
      guard();
      return kept.get(key) ?? null;
    },
    setItem(key, value) {
      guard();
      if (storage.isFull) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
    removeItem(key) {
      guard();
      kept.delete(key);
    },
  };
}
