// @ts-check

/**
 * Asks whoever looks a question in `dialog`; resolves to whether they said yes. Closed in any other way it is a no.
 * @param {HTMLDialogElement} dialog
 * @param {string} question
 * @param {string} yes what the button says that does it
 * @param {string} [detail] what to know before
 * @returns {Promise<boolean>}
 */
export function confirmed(dialog, question, yes, detail = "") {
  /**
   * @param {string} selector
   * @param {string} words
   */
  const put = (selector, words) => { /** @type {HTMLElement} */ (dialog.querySelector(selector)).textContent = words; };
  put("h2", question);
  put(".detail", detail);
  put(".yes", yes);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((settle) => {
    dialog.addEventListener("close", () => settle(dialog.returnValue === "yes"), { once: true });
  });
}
