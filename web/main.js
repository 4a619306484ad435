// @ts-check
import { element, styled } from "./pages/elements.js";
import { keepForOffline, sayWhenOffline } from "./pages/offline.js";
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
document.body.dataset.page = place || "home";
/** How long the hub is given to come back where it did not give all of the page, in ms. */
const PAUSE = 3_000;
try {
  await show();
} catch {
  toast(text("line.no-hub"), "bad");
  // Not all pages at once, where it was the hub that was away.
  setTimeout(() => location.reload(), PAUSE * (1 + Math.random()));
}

/** Each page brings what it needs. */
async function show() {
  if (place === "room" && code) {
    const { showRoom } = await import("./pages/room.js");
    await showRoom(decoded(code).toLowerCase(), toast);
  } else if (place === "replay" && code) {
    const { showReplay } = await import("./pages/replay.js");
    await showReplay(decoded(code).toLowerCase(), toast);
  } else {
    const { showHashPages } = await import("./pages/hash-pages.js");
    await showHashPages(toast);
  }
}

/**
 * Brought in with the first look at the settings.
 * @type {Promise<any> | undefined}
 */
let settingsStyle;
element("settings").addEventListener("click", () => {
  const missing = () => toast(text("line.no-hub"), "bad");
  Promise.all([import("./pages/settings.js"), settingsStyle ??= styled("/styles/settings.css")])
    .then(([{ openSettings }]) => openSettings(toast), missing);
});
if (place !== "room") sayWhenOffline();
offerRenewal(toast);
keepForOffline();

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
