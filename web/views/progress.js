// @ts-check

/**
 * Says on a button what is being done since it was pressed; without words it has its own again.
 * @param {HTMLElement} button
 */
export function progressOn(button) {
  const label = button.querySelector("b") ?? button, own = label.textContent;
  return function say(/** @type {string} */ doing) {
    if (doing) button.setAttribute("aria-busy", "true");
    else button.removeAttribute("aria-busy");
    label.textContent = doing || own;
  };
}
