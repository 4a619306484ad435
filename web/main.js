// @ts-check
import { element, styled, styledAsNamed } from "./pages/elements.js";
import { keepForOffline, sayWhenOffline } from "./pages/offline.js";
import { bringWhenIdle, onDemand } from "./pages/on-demand.js";
import { offerRenewal } from "./pages/renewal.js";
import { settings } from "./settings.js";
import { firstSpoken, speak, text } from "./texts.js";
import { showAppearance } from "./views/appearance.js";
import { overDialogs } from "./views/over-dialogs.js";
import { toasts } from "./views/toasts.js";
import { translate } from "./views/translate.js";

showAppearance(document, settings());
// Another page of this browser may have changed them.
addEventListener("storage", () => showAppearance(document, settings()));

await speak(settings().language ?? firstSpoken(navigator.languages));
translate(document);

// One index.html stands for every address: the path says what it shows.
const toast = toasts(element("toasts"));
overDialogs(document, [element("toasts"), element("announcer")]);
const [, place, code] = location.pathname.split("/");
/** How long the hub is given to come back where it did not give all of the page, in ms. */
const PAUSE = 3_000;
try {
  await show();
} catch {
  toast(text("line.no-hub"), "bad");
  // Not all pages at once, where it was the hub that was away.
  setTimeout(() => location.reload(), PAUSE * (1 + Math.random()));
}

/** Each page brings what it needs, and shows nothing before it looks as it should. */
async function show() {
  const isStyled = styledAsNamed();
  if (place === "room" && code) {
    const [{ showRoom }] = await Promise.all([import("./pages/room.js"), isStyled]);
    await showRoom(decoded(code).toLowerCase(), toast);
  } else if (place === "replay" && code) {
    const [{ showReplay }] = await Promise.all([import("./pages/replay.js"), isStyled]);
    await showReplay(decoded(code).toLowerCase(), toast);
  } else {
    const [{ showHashPages }] = await Promise.all([import("./pages/hash-pages.js"), isStyled]);
    await showHashPages(toast);
  }
}

const settingsPage = onDemand(async () => {
  const [page] = await Promise.all([import("./pages/settings.js"), styled("/styles/settings.css")]);
  return () => page;
}, toast);
const openSettings = (part) => part.openSettings(toast);
element("settings").addEventListener("click", () => settingsPage.use(openSettings));
if (place !== "room") sayWhenOffline();
offerRenewal(toast);
keepForOffline();
bringWhenIdle();

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
