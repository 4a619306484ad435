// @ts-check
import { text } from "../texts/texts.js";
import { qrPicture } from "../views/qr-picture.js";
import { element } from "./elements.js";
import { copyLink, drawLink, roomLink, sendLink } from "./room-link.js";

/**
 * Wires the dialog that shares a room: by its link, by the device's own means, by a QR code. The returned function
 * opens it.
 * @param {import("./elements.js").Shell} shell
 */
export function wireShare(shell) {
  const dialog = element("share-dialog"), link = roomLink(), said = element("share-said");
  const open = () => {
    drawLink(element("share-link"), link);
    element("share-send").hidden = !navigator.share;
    said.textContent = "";
    dialog.showModal();
    element("share-code").replaceChildren(qrPicture(link, text("share.code")));
  };
  element("share-copy").addEventListener("click", () => copyLink(link, dialog, said, shell.toast));
  element("share-send").addEventListener("click", () => sendLink(link, dialog, said, shell.toast));
  return open;
}
