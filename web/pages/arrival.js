// @ts-check
import { CODE_HASH, readCode } from "../store/account-code.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { askCode, takeCode } from "./code-dialog.js";
import { element } from "./elements.js";

/**
 * Takes over the player whose code came in this page's address, and removes the code from the address so that no
 * history keeps it. If the code cannot be used, it says why and offers alternatives; the player stays the same.
 * @param {import("./elements.js").Toast} toast
 */
export async function arrive(toast) {
  const written = location.hash.slice(CODE_HASH.length), code = readCode(written);
  history.replaceState(history.state, "", location.pathname + location.search);
  for (;;) {
    try {
      if (!code) throw new Error(text("code.malformed"), { cause: { code: "unknown-code" } });
      return await takeCode(code, toast);
    } catch (problem) {
      if (problem.cause?.code === "unknown-code") return offerAnother(toast);
      if (!await confirmed(element("ask-dialog"), problem.message, text("line.try-again"))) return null;
    }
  }
}

/** @param {import("./elements.js").Toast} toast */
async function offerAnother(toast) {
  const isWanted = await confirmed(
    element("ask-dialog"), text("code.link-used"), text("code.title"), text("code.link-used.way"));
  return isWanted ? askCode(toast) : null;
}
