// @ts-check

/**
 * Shows progress on a button after a press; empty words restore the button's own.
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
