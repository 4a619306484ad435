// @ts-check
import { followReturn } from "../net/network.js";
import { homePage } from "../pages/home.js";
import { styled } from "../views/style-sheets.js";
import { bring, lazyPart, saying } from "./lazy-parts.js";

/** @typedef {import("../pages/elements.js").Toast} Toast */

/**
 * A page of `/`: drawn into `root`, between `enter` and `leave`; `renew` fetches its data again.
 * @typedef {{root: HTMLElement, title: string, enter: () => void, leave: () => void, renew?: () => void}} Page
 */

/**
 * The pages of `/`, by what follows `#`; what the first view does not need loads on demand.
 * @type {Record<string, (toast: import("../pages/elements.js").Toast) => Promise<Page>>}
 */
const PAGES = {
  "": async (/** @type {Toast} */ toast) => homePage(toast, (load) => lazyPart(load, toast)),
  "how-to-play": async () => {
    const [{ howToPlayPage }] = await Promise.all(
      [import("../pages/how-to-play.js"), styled("/styles/how-to-play.css")]);
    return howToPlayPage();
  },
  leaderboard: async () => {
    const [{ leaderboardPage }] = await Promise.all(
      [import("../pages/leaderboard.js"), styled("/styles/leaderboard.css")]);
    return leaderboardPage();
  },
  wall: async () => {
    const [{ wallPage }] = await Promise.all([import("../pages/wall.js"), styled("/styles/wall.css")]);
    return wallPage();
  },
};

/**
 * Shows the page that the address names, and the next one when it names another.
 * @param {(text: string, kind?: string) => void} toast
 */
export function showRoutedPages(toast) {
  /** @type {Map<string, Promise<Page | null>>} */
  const made = new Map();
  let current = /** @type {Page | null} */ (null);
  let turn = 0;
  const show = async (isMove = true) => {
    const asked = ++turn;
    const behind = location.hash.slice(1), name = Object.hasOwn(PAGES, behind) ? behind : "";
    // At first the page is empty: the caller retries.
    const page = isMove ? await saying(toast, () => pageOf(name)) : await pageOf(name);
    // Another page may have been requested since.
    if (!page || asked !== turn || page === current) return;
    swap(current, page, isMove);
    mark(name);
    current = page;
  };
  const pageOf = (/** @type {string} */ name) => {
    const known = made.get(name), load = () => PAGES[name](toast), again = () => made.delete(name);
    if (known) return known;
    /** @type {Promise<Page | null>} */
    const page = current && name !== "" ? bring(load) : load();
    made.set(name, page);
    page.then((made) => made ?? again(), again);
    return page;
  };
  addEventListener("hashchange", () => show());
  followReturn(() => current?.renew?.());
  return show(false);
}

/**
 * @param {Page | null} before
 * @param {Page} page
 * @param {boolean} isMove whether the user has come from another page, even one that was still loading
 */
function swap(before, page, isMove) {
  before?.leave();
  if (before) before.root.hidden = true;
  page.root.hidden = false;
  document.title = page.title ? `${page.title} · Flipside` : "Flipside";
  page.enter();
  if (!isMove) return;
  scrollTo(0, 0);
  const heading = page.root.querySelector("h1");
  if (!heading) return;
  // As after any other link, a screen reader announces the new page.
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function mark(/** @type {string} */ name) {
  for (const link of document.querySelectorAll(".ways a")) {
    if (link.getAttribute("href") === `/#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
