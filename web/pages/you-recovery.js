// @ts-check
import { drawRecoveryCode } from "../store/account.js";
import { identity } from "../store/identity.js";
import { isRefused } from "../store/requests.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { copyText } from "./clipboard.js";
import { element } from "./elements.js";

/**
 * Wires the recovery code in the dialog "You": it is shown once, when it is made.
 * @param {import("./you.js").Surroundings} around
 * @returns {import("./you.js").Part}
 */
export function wireRecovery({ say, attempt }) {
  const shown = element("recovery-shown"), problem = element("recovery-problem"), button = element("recovery-make");
  let code = "", hasOne = false;
  /** The player whose answer with the code got lost; the hub may have made the code all the same. */
  let unseenOf = /** @type {string | undefined} */ (undefined);
  const drawCode = () => {
    if (!code && shown.contains(document.activeElement)) button.focus();
    shown.hidden = code === "";
    element("recovery-code").replaceChildren(...(code.match(/[^-]+-?/g) ?? []).map(group));
  };
  button.addEventListener("click", async () => {
    const whose = identity()?.id;
    const isKept = hasOne && unseenOf !== whose;
    if (isKept && !await confirmed(element("ask-dialog"), text("recovery.replace"), text("recovery.make-new"))) return;
    await attempt(problem, async () => {
      const drawn = await drawRecoveryCode().catch((reason) => {
        if (isRefused(reason)) throw reason;
        unseenOf = whose;
        throw new Error(text("recovery.unseen"));
      });
      unseenOf = undefined;
      // Another player now, who would think the code theirs.
      if (identity()?.id !== whose) return;
      code = drawn;
      drawCode();
      element("recovery-copy").focus();
    });
  });
  element("recovery-copy").addEventListener("click", async () => {
    say(text(await copyText(code, shown) ? "recovery.copied" : "recovery.by-hand"));
  });
  return {
    draw(found) {
      hasOne = found?.recoveryCode ?? false;
      button.hidden = found === null;
      const isUnseen = hasOne && unseenOf === found?.id;
      if (isUnseen) problem.textContent = text("recovery.unseen");
      button.textContent = text(hasOne ? "recovery.make-new" : "recovery.make");
      element("recovery-state").textContent = found && !isUnseen
        ? text(hasOne ? "recovery.there" : "recovery.none") : "";
    },
    hide() {
      code = problem.textContent = "";
      drawCode();
    },
  };
}

/** Four characters that never break across lines. */
function group(/** @type {string} */ characters) {
  return Object.assign(document.createElement("span"), { textContent: characters });
}
