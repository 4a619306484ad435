// @ts-check
import { readCode } from "../store/account-code.js";
import { account, useCode } from "../store/account.js";
import { identity } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { element, input } from "./elements.js";

/** @typedef {import("../store/identity.js").Player} Player */

/**
 * Makes this browser a device of the player who made the code. Asks first if it belongs to another player. Null if the
 * user declines. Throws the reason as an `Error` for people.
 * @param {string} code
 * @param {import("./elements.js").Toast} toast
 */
export async function takeCode(code, toast) {
  const before = identity();
  const player = await useCode(code).catch(async (problem) => {
    if (problem.cause?.code !== "token-has-name") throw problem;
    return await mayReplace(problem.cause.name) ? useCode(code, { isAnother: true }) : null;
  });
  if (!player) return null;
  const { id, name, by } = player, isSame = before?.id === id;
  toast(text(isSame ? "code.same" : by === "recovery" ? "code.recovered" : "code.taken", { name }));
  return player;
}

/**
 * Whether to give up the current player and become `other`: says what happens to the current one.
 * @param {string} other
 */
async function mayReplace(other) {
  const found = await account().catch((reason) => {
    // If the hub does not know the current player, nothing is given up.
    if (identity()) throw reason;
  });
  if (!found) return true;
  const { name, devices, recoveryCode } = found;
  const wayBack = devices.length > 1 ? "kept" : recoveryCode ? "only" : "last";
  const question = text("code.replace", { name, other }), yes = text("code.replace-it", { name: other });
  return confirmed(element("ask-dialog"), question, yes, text(`code.replace.${wayBack}`, { name }));
}

/**
 * Asks for a code in a dialog; resolves to the player on this device afterwards, or null if cancelled.
 * @param {import("./elements.js").Toast} toast
 * @returns {Promise<Player | null>}
 */
export function askCode(toast) {
  const dialog = element("code-dialog"), form = dialog.querySelector("form"), problem = element("code-problem");
  const field = input(form, "code"), done = new AbortController();
  let player = /** @type {Player | null} */ (null);
  form.reset();
  problem.textContent = "";
  const take = async () => {
    const code = readCode(field.value);
    if (!code) throw new Error(text("code.malformed"));
    player = await takeCode(code, toast);
    if (player) dialog.close();
  };
  form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    take().catch((reason) => {
      problem.textContent = reason.message;
      field.focus();
    });
  }, done);
  element("code-cancel").addEventListener("click", () => dialog.close(), done);
  dialog.showModal();
  return new Promise((settle) => {
    dialog.addEventListener("close", () => {
      done.abort();
      settle(player);
    }, done);
  });
}
