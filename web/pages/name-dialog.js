// @ts-check
import { identity, proposeName, register } from "../store/identity.js";
import { element, input } from "./elements.js";

/**
 * Who plays here: asks for a name over the page if there is none yet, with one proposed that is probably free, so that
 * one tap is enough. Null if somebody would rather not.
 * @returns {Promise<import("../store/identity.js").Player | null>}
 */
export function askName() {
  const known = identity();
  return known ? Promise.resolve(known) : new Promise(ask);
}

function ask(/** @type {any} */ settle) {
  const dialog = /** @type {HTMLDialogElement} */ (element("name-dialog"));
  const form = dialog.querySelector("form"), problem = element("name-problem");
  if (!form) return settle(null);
  const field = input(form, "name"), done = new AbortController();
  let player = /** @type {import("../store/identity.js").Player | null} */ (null);
  const propose = () => {
    field.value = proposeName();
    problem.textContent = "";
  };
  propose();
  element("name-other").addEventListener("click", propose, done);
  element("name-cancel").addEventListener("click", () => dialog.close(), done);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      player = await register(field.value);
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
