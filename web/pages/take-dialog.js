// @ts-check
import { element } from "./elements.js";
import { takeAlong } from "./take-along.js";

let hideCode = /** @type {(() => void) | null} */ (null);

/** Shows, over the current page, how this player can continue with it on another device. */
export function openTakeDialog() {
  const dialog = element("take-dialog");
  if (!hideCode) {
    hideCode = takeAlong(element("take-code"), location.origin + location.pathname);
    dialog.addEventListener("close", hideCode);
  }
  dialog.showModal();
}
