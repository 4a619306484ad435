// @ts-check
import { element } from "../pages/elements.js";
import { text } from "../texts/texts.js";
import { tagOfFiles } from "./offline.js";

/**
 * Offers to reload the page once the hub has other files than at first, as after an upgrade under an open tab. It never
 * reloads by itself, and is silent during a game. Call `look` at a good moment: the line is back, or a game is over.
 * @param {import("./lazy-parts.js").Toast} toast
 */
export function updates(toast) {
  let first = /** @type {string | null} */ (null);
  const look = async () => {
    const now = await tagOfFiles();
    first ??= now;
    const isAtGame = ["running", "dealing"].includes(element("room").dataset.status);
    if (now === null || now === first || isAtGame) return;
    toast(text("renewal.there"), "", { label: text("renewal.load"), take: () => location.reload() });
  };
  return {
    look,
    start() {
      look();
      document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
    },
  };
}
