// @ts-check

/**
 * Puts `words` on the clipboard; returns whether that worked.
 * @param {string} words
 * @param {HTMLElement} root a part of the open dialog: text behind it cannot be selected
 */
export async function copyText(words, root) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return copyByHand(words, root);
  }
}

/**
 * Plain http in a local network has no clipboard API; the old command still works there.
 * @param {string} words
 * @param {HTMLElement} root
 */
function copyByHand(words, root) {
  const field = Object.assign(document.createElement("textarea"), { value: words, className: "hidden" });
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  root.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  held?.focus();
  return isCopied;
}
