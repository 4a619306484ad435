// @ts-check
import { identity, SEAT } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { qrPicture } from "../views/qr-picture.js";
import { element } from "./elements.js";
import { drawLink, roomLink } from "./room-link.js";

/** @typedef {import("./elements.js").Toast} Toast */

/**
 * Wires the dialog that shares a room: by its link, by what the device has for sharing, by a QR code. The function it
 * returns opens it.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
export function wireShare(room, shell) {
  const dialog = element("share-dialog"), link = roomLink();
  /**
   * @param {string} id
   * @param {string} address
   * @param {string} label
   */
  const showCode = (id, address, label) => element(id).replaceChildren(qrPicture(address, label));
  const hideSeat = (/** @type {boolean} */ isHidden) => {
    element("take-shown").hidden = isHidden;
    element("take-show").hidden = !isHidden;
    // Nobody finds it in a page that is left open.
    if (isHidden) element("take-code").replaceChildren();
  };
  const open = () => {
    drawLink(element("share-link"), link);
    element("share-send").hidden = !navigator.share;
    element("take-along").hidden = !identity() || !room.state?.you.player;
    element("share-said").textContent = "";
    hideSeat(true);
    dialog.showModal();
    showCode("share-code", link, text("share.code"));
  };
  element("share-copy").addEventListener("click", () => copy(link, dialog, shell.toast));
  element("share-send").addEventListener("click", () => send(link, dialog, shell.toast));
  element("take-show").addEventListener("click", () => {
    hideSeat(false);
    showCode("take-code", link + SEAT + identity()?.token, text("share.seat-code"));
  });
  dialog.addEventListener("close", () => hideSeat(true));
  return open;
}

async function send(/** @type {string} */ link, /** @type {HTMLDialogElement} */ dialog, /** @type {Toast} */ toast) {
  try {
    await navigator.share({ title: "Flipside", text: text("share.text"), url: link });
  } catch (error) {
    if (error.name !== "AbortError") copy(link, dialog, toast);
  }
}

async function copy(/** @type {string} */ link, /** @type {HTMLDialogElement} */ dialog, /** @type {Toast} */ toast) {
  let isCopied = true;
  try { await navigator.clipboard.writeText(link); } catch { isCopied = copyByHand(link, dialog); }
  const said = element("share-said");
  said.textContent = isCopied ? text("share.copied") : text("share.by-hand", { link });
  if (!dialog.open) toast(said.textContent);
}

/** Plain http in a local network has no clipboard to write to; the old way still works there, within the dialog. */
function copyByHand(/** @type {string} */ link, /** @type {HTMLDialogElement} */ dialog) {
  const field = Object.assign(document.createElement("textarea"), { value: link, className: "hidden" });
  const held = /** @type {HTMLElement} */ (document.activeElement);
  dialog.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  held?.focus();
  return isCopied;
}
