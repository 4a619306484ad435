// @ts-check

/**
 * The browser's way back, which a phone has a gesture for: it closes first what lies over the page, then asks where a
 * page has a question. A page hears of it only between entries of the history that are its own: where there is anything
 * to close or to ask, it adds one that looks the same. From there one comes back to the one before, and is sent ahead
 * again or, with nothing to close and no to the question, further back.
 */

/**
 * Follows it; the function it returns is to be called where there may be more or less to close or to ask.
 * @param {{sheets: import("../pages/elements.js").Sheet[], question: () => (() => Promise<boolean>) | null}} meets
 */
export function wayBack(meets) {
  /** Where the page is in the history: the entry that it has added, and what that shows. */
  let isAhead = false, shown = "";
  /** Called once it is ahead again, where it is on its way there. */
  let arrive = /** @type {(() => void) | null} */ (null);
  const stand = () => {
    isAhead = Boolean(history.state?.isAhead);
    shown = location.pathname + location.hash;
  };
  /** Closes what is on top; null where nothing is open. */
  const closing = () => {
    const dialog = /** @type {HTMLDialogElement | undefined} */ ([...document.querySelectorAll("dialog[open]")].at(-1));
    const sheet = meets.sheets.find(({ isOpen }) => isOpen());
    return dialog ? () => dialog.close() : sheet ? sheet.close : null;
  };
  const look = () => {
    stand();
    // Browsers skip what was added before anybody touched the page. TypeScript knows nothing of it yet.
    const { userActivation } = /** @type {{userActivation?: {hasBeenActive: boolean}}} */ (navigator);
    if (arrive || isAhead || !(closing() || meets.question()) || userActivation?.hasBeenActive === false) return;
    if (history.length === 1) history.replaceState({ ...history.state, isFirst: true }, "");
    history.pushState({ ...history.state, isAhead: true }, "");
    stand();
  };
  addEventListener("popstate", async () => {
    const wasAhead = isAhead, before = shown;
    stand();
    arrive?.();
    arrive = null;
    if (!wasAhead || isAhead || before !== shown) return;
    const close = closing(), ask = meets.question();
    if (!close && !ask) return history.back();
    // An entry that was there before is not skipped, as one would be that is added now.
    const isThere = new Promise((done) => { arrive = () => done(null); });
    history.forward();
    if (close) return close();
    if (!await ask?.()) return;
    await isThere;
    // In a tab of its own there is nothing before the page.
    if (history.state?.isFirst) location.assign("/");
    else history.go(-2);
  });
  for (const type of ["click", "keydown"]) addEventListener(type, look);
  addEventListener("hashchange", stand);
  addEventListener("pageshow", stand);
  return look;
}
