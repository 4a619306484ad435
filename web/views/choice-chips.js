// @ts-check

/** @typedef {import("../games/options.js").Chip} Chip */

/**
 * A room's options in `root`, one chip each. The host opens one with a press: `change` gets the names of its fields.
 * @param {HTMLElement} root
 * @param {(names: string[]) => void} change
 */
export function choiceChips(root, change) {
  let last = "";
  /**
   * @param {Chip[]} shown
   * @param {boolean} isHost
   */
  return function draw(shown, isHost) {
    const now = JSON.stringify([shown, isHost]);
    if (now === last) return;
    last = now;
    const held = document.activeElement?.closest(".chip");
    const place = held && root.contains(held) ? [...root.querySelectorAll(".chip")].indexOf(held) : -1;
    root.replaceChildren(...shown.map((chip) => {
      const item = document.createElement("li");
      item.append(isHost && chip.names.length > 0 ? button(chip, change) : face(document.createElement("span"), chip));
      return item;
    }));
    // The focus stays on the chip that was changed.
    if (place >= 0) /** @type {HTMLElement | undefined} */ (root.querySelectorAll(".chip")[place])?.focus();
  };
}

function button(/** @type {Chip} */ chip, /** @type {(names: string[]) => void} */ change) {
  const element = face(document.createElement("button"), chip);
  element.type = "button";
  element.dataset.names = chip.names.join(" ");
  element.setAttribute("aria-haspopup", "dialog");
  element.addEventListener("click", () => change(chip.names));
  return element;
}

/**
 * @template {HTMLElement} Root
 * @param {Root} root
 * @param {Chip} chip
 */
function face(root, { label, value }) {
  root.className = "chip";
  const words = document.createElement("b");
  words.textContent = value;
  if (label) root.append(Object.assign(document.createElement("small"), { textContent: label }), " ");
  root.append(words);
  return root;
}
