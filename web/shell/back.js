// @ts-check
import { topDialog } from "../views/top-dialog.js";

/**
 * The browser's back button, which on a phone is a gesture. It closes what lies over the page, and otherwise asks the
 * page's question if there is one. Browsers report it only between history entries of the page's own. So while there is
 * something to close or to ask, an entry is added that looks the same. Going back from it leads to the entry before it.
 * Then the page is sent forward again, or further back if nothing is left to close and the answer allows it.
 */

/**
 * Follows the back button. Call the returned function when there may be something new to close or to ask.
 * @param {{sheets: import("../pages/elements.js").Sheet[], question: () => (() => Promise<boolean>) | null}} overlays
 */
export function wayBack(overlays) {
  /** Where the page is in the history: whether on the added entry, and at which address. */
  let isAhead = false, shown = "";
  /** Called when the page is on the added entry again; null unless it is on its way there. */
  let onceAhead = /** @type {(() => void) | null} */ (null);
  const readPosition = () => {
    isAhead = Boolean(history.state?.isAhead);
    shown = location.pathname + location.hash;
  };
  /** Closes what is on top; null if nothing is open. */
  const closing = () => {
    const dialog = topDialog(document);
    const sheet = overlays.sheets.find(({ isOpen }) => isOpen());
    return dialog ? () => dialog.close() : sheet ? sheet.close : null;
  };
  const addEntry = () => {
    readPosition();
    // Browsers skip entries that were added before anyone touched the page. TypeScript does not know this property yet.
    const { userActivation } = /** @type {{userActivation?: {hasBeenActive: boolean}}} */ (navigator);
    if (onceAhead || isAhead || !(closing() || overlays.question()) || userActivation?.hasBeenActive === false) return;
    if (history.length === 1) history.replaceState({ ...history.state, isFirst: true }, "");
    history.pushState({ ...history.state, isAhead: true }, "");
    readPosition();
  };
  addEventListener("popstate", async () => {
    const wasAhead = isAhead, before = shown;
    readPosition();
    onceAhead?.();
    onceAhead = null;
    if (!wasAhead || isAhead || before !== shown) return;
    const close = closing(), ask = overlays.question();
    if (!close && !ask) return history.back();
    // Forward to the old entry: browsers would skip one added now, without a touch.
    const returned = new Promise((done) => { onceAhead = () => done(null); });
    history.forward();
    if (close) return close();
    if (!await ask?.()) return;
    await returned;
    // The page is the first in its tab: there is no page to go back to.
    if (history.state?.isFirst) location.assign("/");
    else history.go(-2);
  });
  for (const type of ["click", "keydown"]) addEventListener(type, addEntry);
  addEventListener("hashchange", readPosition);
  addEventListener("pageshow", readPosition);
  return addEntry;
}
