// @ts-check
import { text } from "../texts/texts.js";
import { copyText } from "./clipboard.js";

/** The room's address, without query and fragment. */
export const roomLink = () => location.origin + location.pathname;

/**
 * Draws an address that breaks only at its slashes.
 * @param {HTMLElement} root
 * @param {string} link
 */
export function drawLink(root, link) {
  const parts = link.match(/[^/.]+[/.]*|[/.]+/g) ?? [];
  root.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}

/**
 * Puts a room's address on the clipboard, or says how to copy it by hand. The result appears in `said` while `root` is
 * shown, and otherwise in a toast.
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
 * Passes the address to the device's own means of sharing.
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
