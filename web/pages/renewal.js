// @ts-check
import { text } from "../texts.js";
import { element } from "./elements.js";
import { tagOfFiles } from "./offline.js";

/** What is fired at the window when it is a good moment to look: the line is back, or a game is over. */
export const LULL = "lull";

/**
 * Offers to load the page anew once the hub has other files than at first, as after an upgrade under an open tab. It
 * never does so by itself, and says nothing in the middle of a game.
 * @param {(text: string, kind?: string, offer?: {label: string, take: () => void}) => void} toast
 */
export function offerRenewal(toast) {
  let first = /** @type {string | null} */ (null);
  const look = async () => {
    const now = await tagOfFiles();
    first ??= now;
    const isAtGame = ["running", "dealing"].includes(element("room").dataset.status);
    if (now === null || now === first || isAtGame) return;
    toast(text("renewal.there"), "", { label: text("renewal.load"), take: () => location.reload() });
  };
  look();
  addEventListener(LULL, look);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
}
