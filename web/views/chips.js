// @ts-check

/**
 * Short texts side by side.
 * @param {HTMLElement} root
 * @param {string[]} words
 */
export function drawChips(root, words) {
  root.replaceChildren(...words.map((textContent) =>
    Object.assign(document.createElement("li"), { className: "chip", textContent })));
}
