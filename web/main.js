// @ts-check
import { element } from "./pages/elements.js";
import { showHome } from "./pages/home.js";
import { showHowToPlay } from "./pages/how-to-play.js";
import { keepForOffline, sayWhenOffline } from "./pages/offline.js";
import { showRoom } from "./pages/room.js";
import { settings } from "./settings.js";
import { firstSpoken, speak } from "./texts.js";
import { toasts } from "./views/toasts.js";
import { translate } from "./views/translate.js";

await speak(settings().language ?? firstSpoken(navigator.languages));
translate(document);

// One index.html stands for every address: the path says what it shows.
const toast = toasts(element("toasts"));
const [, place, code] = location.pathname.split("/");
if (place === "room" && code) showRoom(decoded(code).toLowerCase(), toast);
else if (location.hash === "#how-to-play") showHowToPlay();
else showHome(toast);
if (place !== "room") sayWhenOffline();
keepForOffline();
// The two pages share an address: each is laid out as it was loaded.
addEventListener("hashchange", () => location.reload());

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
