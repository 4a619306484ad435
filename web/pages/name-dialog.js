// @ts-check
import { comeBack, takeName } from "../store/account.js";
import { identity } from "../store/identity.js";
import { proposeName } from "../texts/proposed-name.js";
import { askCode } from "./code-dialog.js";
import { element, input } from "./elements.js";

/** @typedef {import("../store/identity.js").Player} Player */

/**
 * The player on this page. If there is no name yet, a dialog asks for one and proposes one that is probably free, so
 * that one tap is enough. Null if cancelled.
 * @param {import("./elements.js").Toast} toast
 * @returns {Promise<Player | null>}
 */
export async function askName(toast) {
  await comeBack();
  return identity() ?? new Promise((settle) => { ask(settle, toast); });
}

/**
 * @param {(player: Player | null) => void} settle
 * @param {import("./elements.js").Toast} toast
 */
function ask(settle, toast) {
  const dialog = element("name-dialog"), form = dialog.querySelector("form"), problem = element("name-problem");
  const field = input(form, "name"), done = new AbortController();
  let player = /** @type {Player | null} */ (null);
  const propose = () => {
    field.value = proposeName();
    problem.textContent = "";
  };
  propose();
  element("name-other").addEventListener("click", propose, done);
  element("name-cancel").addEventListener("click", () => dialog.close(), done);
  element("name-code").addEventListener("click", async () => {
    player = await askCode(toast);
    if (player) dialog.close();
  }, done);
  form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    try {
      player = await takeName(field.value);
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      field.focus();
    }
  }, done);
  dialog.addEventListener("close", () => {
    done.abort();
    settle(player);
  }, done);
  dialog.showModal();
}
