// @ts-check
import { text } from "../texts/texts.js";
import { copyText } from "./clipboard.js";

/** The room's address, without whatever stands behind it. */
export const roomLink = () => location.origin + location.pathname;

/**
 * An address that breaks at its slashes only.
 * @param {HTMLElement} root
 * @param {string} link
 */
export function drawLink(root, link) {
  const parts = link.match(/[^/.]+[/.]*|[/.]+/g) ?? [];
  root.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}

/**
 * Puts a room's address on the clipboard, or says it for who does so by hand; `said` of what is shown in `root` tells,
 * and a toast where that is gone by then.
 * @param {string} link
 * @param {HTMLElement} root
 * @param {HTMLElement} said
 * @param {import("./elements.js").Toast} toast
 */
export async function copyLink(link, root, said, toast) {
  said.textContent = await copyText(link, root) ? text("share.copied") : text("share.by-hand", { link });
  if (root.getClientRects().length === 0) toast(said.textContent);
}

/**
 * Hands it to what the device has for sharing.
 * @param {string} link
 * @param {HTMLElement} root
 * @param {HTMLElement} said
 * @param {import("./elements.js").Toast} toast
 */
export async function sendLink(link, root, said, toast) {
  try {
    await navigator.share({ title: "Flipside", text: text("share.text"), url: link });
  } catch (error) {
    if (error.name !== "AbortError") copyLink(link, root, said, toast);
  }
}
