// @ts-check
// The games and their sentences are known before the page speaks.
import "./games/list.js";
import { followReturn } from "./net/network.js";
import { codeIn } from "./net/room-code.js";
import { element } from "./pages/elements.js";
import { pageSound } from "./pages/page-sound.js";
import { bring, lazyPart, loadPartsWhenIdle } from "./shell/lazy-parts.js";
import { keepForOffline, sayWhenOffline } from "./shell/offline.js";
import { followSignOut } from "./shell/signed-out.js";
import { wireSkipLink } from "./shell/skip-link.js";
import { updates } from "./shell/updates.js";
import { CODE_HASH } from "./store/account-code.js";
import { adoptFromAddress } from "./store/identity.js";
import { settings } from "./store/settings.js";
import { firstSpoken, speak, text } from "./texts/texts.js";
import { showAppearance } from "./views/appearance.js";
import { keepOverDialogs } from "./views/live-regions.js";
import { styled } from "./views/style-sheets.js";
import { toasts } from "./views/toasts.js";
import { translate } from "./views/translate.js";

showAppearance(document, settings());
// Another page of this browser may have changed the settings.
addEventListener("storage", () => showAppearance(document, settings()));
followReturn(() => {
  showAppearance(document, settings());
  // The page's words are all put in as it is made.
  if (wantedLanguage() !== language) location.reload();
});

const wantedLanguage = () => settings().language ?? firstSpoken(navigator.languages), language = wantedLanguage();
await speak(language);
translate(document);

// One index.html serves every address: the path says what it shows.
const toast = toasts(element("toasts"));
const files = updates(toast);
/**
 * What the shell does for each page.
 * @type {import("./pages/elements.js").Shell}
 */
const shell = { toast, bring, lazyPart: (load) => lazyPart(load, toast), quietMoment: files.look, back: followBack() };
wireSkipLink(document, element("skip"));
// During a game, messages appear in a place that covers nothing of it.
const toastsHome = () => (document.body.dataset.playing === "true" ? element("messages") : document.body);
keepOverDialogs(document, [[element("toasts"), toastsHome], [element("announcer"), () => document.body]]);
const { page } = document.documentElement.dataset;
const code = codeIn(location.pathname);
/** As links have it, however it was typed. */
const path = `/${page}/${code}`;
if (code && location.pathname !== path) history.replaceState(history.state, "", path + location.search + location.hash);
/** How long the hub gets to come back if it did not send all of the page, in ms. */
const PAUSE = 3_000;
adoptFromAddress();
// A room has its game's sounds as well.
if (page !== "room") pageSound(bring);
// A link that moves a player to this device, opened in a page that is already open or about to be.
addEventListener("hashchange", () => { if (location.hash.startsWith(CODE_HASH)) location.reload(); });
try {
  if (location.hash.startsWith(CODE_HASH)) await (await import("./pages/arrival.js")).arrive(toast);
  await show();
} catch {
  toast(text("line.no-hub"), "bad");
  // Spread out, so that not all pages reload at once after the hub was away.
  setTimeout(() => location.reload(), PAUSE * (1 + Math.random()));
}

/**
 * Loads the code for the browser's back button as soon as it has something to do: close, ask, or continue from.
 * @returns {import("./pages/elements.js").Back}
 */
function followBack() {
  /** @type {Parameters<typeof import("./shell/back.js").wayBack>[0]} */
  const meets = { sheets: [], question: () => null };
  let coming = /** @type {Promise<void> | null} */ (null), lookOn = () => {};
  const look = () => {
    lookOn();
    const isOver = document.querySelector("dialog[open]") || meets.sheets.some(({ isOpen }) => isOpen());
    if (!isOver && !meets.question() && !history.state?.isAhead) return;
    coming ??= import("./shell/back.js").then(({ wayBack }) => {
      lookOn = wayBack(meets);
      lookOn();
    }).catch(() => { coming = null; });
  };
  new MutationObserver(look).observe(document.body, { subtree: true, attributeFilter: ["open"] });
  look();
  return {
    sheet: (sheet) => { meets.sheets.push(sheet); },
    ask: (question) => { meets.question = question; },
    look,
  };
}

/** Each page loads what it needs first. */
async function show() {
  if (page === "room") {
    await (await import("./pages/room.js")).showRoom(code, shell);
  } else if (page === "replay") {
    await (await import("./pages/replay.js")).showReplay(code, shell);
  } else if (page === "nowhere") {
    document.title = `${text("nowhere.title")} · Flipside`;
    element("nowhere").hidden = false;
  } else {
    await (await import("./shell/router.js")).showRoutedPages(toast);
  }
}

const settingsPage = lazyPart(async () => {
  const [page] = await Promise.all([import("./pages/settings.js"), styled("/styles/settings.css")]);
  return () => page;
}, toast);
const openSettings = (/** @type {typeof import("./pages/settings.js")} */ part) => part.openSettings();
element("settings").addEventListener("click", () => settingsPage.use(openSettings));
const youPage = lazyPart(async () => {
  const styles = ["codes", "you"].map((name) => styled(`/styles/${name}.css`));
  const [page] = await Promise.all([import("./pages/you.js"), ...styles]);
  return () => page;
}, toast);
const openYou = () => youPage.use(showYou);
const showYou = (/** @type {typeof import("./pages/you.js")} */ part) => part.openYou(toast);
for (const opener of document.querySelectorAll("[data-you]")) opener.addEventListener("click", openYou);
const takeDialog = lazyPart(async () => {
  const [page] = await Promise.all([import("./pages/take-dialog.js"), styled("/styles/codes.css")]);
  return () => page;
}, toast);
const openTake = (/** @type {typeof import("./pages/take-dialog.js")} */ part) => part.openTakeDialog();
element("settings-take").addEventListener("click", () => takeDialog.use(openTake));
followSignOut(page === "room", toast, openYou);
if (page !== "room") sayWhenOffline();
files.start();
keepForOffline();
loadPartsWhenIdle();
