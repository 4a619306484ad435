// @ts-check
import { element } from "./pages/elements.js";
import { showHome } from "./pages/home.js";
import { showRoom } from "./pages/room.js";
import { toasts } from "./views/toasts.js";

// One index.html stands for every address: the path says what it shows.
const toast = toasts(element("toasts"));
const [, place, code] = location.pathname.split("/");
if (place === "room" && code) showRoom(decoded(code).toLowerCase(), toast);
else showHome(toast);

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
