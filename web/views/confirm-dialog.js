// @ts-check
import { text } from "../texts/texts.js";

/**
 * Asks a question in `dialog`; resolves to whether the answer was yes. Closing it in any other way means no.
 * @param {HTMLDialogElement} dialog
 * @param {string} question
 * @param {string | {yes: string, no: string}} answers the words on the button for yes, and on the one for no
 * @param {string} [detail] what to know beforehand
 * @returns {Promise<boolean>}
 */
export function confirmed(dialog, question, answers, detail = "") {
  const { yes, no } = typeof answers === "string" ? { yes: answers, no: text("change.cancel") } : answers;
  /**
   * @param {string} selector
   * @param {string} words
   */
  const put = (selector, words) => { /** @type {HTMLElement} */ (dialog.querySelector(selector)).textContent = words; };
  put("h2", question);
  put(".detail", detail);
  put(".yes", yes);
  put("[value=no]", no);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((settle) => {
    dialog.addEventListener("close", () => settle(dialog.returnValue === "yes"), { once: true });
  });
}
