// @ts-check
import { followIdentity, identity } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { qrPicture } from "../views/qr-picture.js";
import { copyText } from "./clipboard.js";
import { element } from "./elements.js";
import { drawLink, roomLink } from "./room-link.js";
import { takeAlong } from "./take-along.js";

/** @typedef {import("./elements.js").Toast} Toast */

/**
 * Wires the dialog that shares a room: by its link, by what the device has for sharing, by a QR code. The function it
 * returns opens it.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
export function wireShare(room, shell) {
  const dialog = element("share-dialog"), link = roomLink();
  const hideCode = takeAlong(element("share-take-code"), link);
  const drawTake = () => { element("share-take").hidden = !identity() || !room.state?.you.player; };
  followIdentity(drawTake);
  const open = () => {
    drawLink(element("share-link"), link);
    element("share-send").hidden = !navigator.share;
    drawTake();
    element("share-said").textContent = "";
    dialog.showModal();
    element("share-code").replaceChildren(qrPicture(link, text("share.code")));
  };
  element("share-copy").addEventListener("click", () => copy(link, dialog, shell.toast));
  element("share-send").addEventListener("click", () => send(link, dialog, shell.toast));
  dialog.addEventListener("close", hideCode);
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
  const said = element("share-said");
  said.textContent = await copyText(link, dialog) ? text("share.copied") : text("share.by-hand", { link });
  if (!dialog.open) toast(said.textContent);
}
