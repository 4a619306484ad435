// @ts-check

/**
 * Asks whoever looks a question in `dialog`; resolves to whether they said yes. Closed in any other way it is a no.
 * @param {HTMLDialogElement} dialog
 * @param {string} question
 * @param {string} yes what the button says that does it
 * @returns {Promise<boolean>}
 */
export function confirmed(dialog, question, yes) {
  /**
   * @param {string} selector
   * @param {string} words
   */
  const put = (selector, words) => { /** @type {HTMLElement} */ (dialog.querySelector(selector)).textContent = words; };
  put("h2", question);
  put(".yes", yes);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((settle) => {
    dialog.addEventListener("close", () => settle(dialog.returnValue === "yes"), { once: true });
  });
}
