// @ts-check
import { adopt, identity, isKnownElsewhere, SEAT } from "../identity.js";
import { text } from "../texts.js";
import { ask } from "../views/ask.js";
import { element } from "./elements.js";

/** A token: 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The room's address, without whatever stands behind it. */
export const roomLink = () => location.origin + location.pathname;

/** The token that this page's address brought, if it did: taken out of the address, so that no history keeps it. */
export function tokenInAddress() {
  if (!location.hash.startsWith(SEAT)) return null;
  const token = location.hash.slice(SEAT.length);
  history.replaceState(history.state, "", location.pathname);
  return TOKEN.test(token) ? token : null;
}

/**
 * Whether to play here by the token that came along: asks, where this browser is somebody else.
 * @param {string | null} token
 */
export async function mayBring(token) {
  const own = identity();
  if (!token || !own || own.token === token) return Boolean(token);
  return ask(element("ask-dialog"), text("share.replace", { name: own.name }), text("share.replace-it"));
}

/** The hub knows the token that came along: this browser is that player from now on. */
export function bring(token, { player, name }, toast) {
  if (identity()?.token === token) return;
  adopt({ id: player, name, token });
  // Where the browser keeps nothing it was most likely this browser's own page.
  if (isKnownElsewhere()) toast(text("share.brought", { name }));
}

/**
 * Wires the dialog that shares a room: by its link, by what the device has for sharing, by a QR code.
 * @param {{state: any, toast: (text: string, kind?: string) => void}} page
 */
export function wireShare(page) {
  const dialog = element("share-dialog"), link = roomLink();
  const showCode = async (id, address, label) => {
    const { qrPicture } = await import("../views/qr-picture.js");
    // Closed meanwhile, it is not to be found in the page.
    if (dialog.open) element(id).replaceChildren(qrPicture(address, label));
  };
  const hideSeat = (isHidden) => {
    element("take-shown").hidden = isHidden;
    element("take-show").hidden = !isHidden;
    // Nobody finds it in a page that is left open.
    if (isHidden) element("take-code").replaceChildren();
  };
  const open = () => {
    drawLink(element("share-link"), link);
    element("share-send").hidden = !navigator.share;
    element("take-along").hidden = !identity() || !page.state?.you.player;
    element("share-said").textContent = "";
    hideSeat(true);
    dialog.showModal();
    showCode("share-code", link, text("share.code"));
  };
  for (const id of ["share", "invite"]) element(id).addEventListener("click", open);
  element("share-copy").addEventListener("click", () => copy(link, dialog, page.toast));
  element("share-send").addEventListener("click", () => send(link, dialog, page.toast));
  element("take-show").addEventListener("click", () => {
    hideSeat(false);
    showCode("take-code", link + SEAT + identity()?.token, text("share.seat-code"));
  });
  dialog.addEventListener("close", () => hideSeat(true));
}

/** An address that breaks at its slashes only. @param {HTMLElement} root @param {string} link */
export function drawLink(root, link) {
  root.replaceChildren(...link.split(/(?<=[/.])(?=[^/])/).flatMap((part) => [part, document.createElement("wbr")]));
}

async function send(link, dialog, toast) {
  try {
    await navigator.share({ title: "Flipside", text: text("share.text"), url: link });
  } catch (error) {
    if (error.name !== "AbortError") copy(link, dialog, toast);
  }
}

async function copy(link, dialog, toast) {
  let isCopied = true;
  try { await navigator.clipboard.writeText(link); } catch { isCopied = copyByHand(link, dialog); }
  const said = element("share-said");
  said.textContent = isCopied ? text("share.copied") : text("share.by-hand", { link });
  if (!dialog.open) toast(said.textContent);
}

/** Plain http in a local network has no clipboard to write to; the old way still works there, within the dialog. */
function copyByHand(link, dialog) {
  const field = Object.assign(document.createElement("textarea"), { value: link, className: "hidden" });
  const held = /** @type {HTMLElement} */ (document.activeElement);
  dialog.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  held?.focus();
  return isCopied;
}
