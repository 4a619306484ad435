// @ts-check
import { BOARDS, chosen, optionsOf, SEATS, THEMES, TURN_TIMES, duration } from "../games/memory-options.js";

const CHOICES = {
  board: BOARDS.map(({ name, label }) => ({ value: name, label, picture: `glyph-board ${name}` })),
  theme: THEMES.map(({ name, label, sign }) => ({ value: name, label, sign })),
  turnTime: TURN_TIMES.map((time) => ({ value: String(time), label: time ? duration(time) : "None" })),
  seats: SEATS.map((count) => ({ value: String(count), label: String(count) })),
};

/**
 * The choices of a game in `root`. Draws a room's options given to `draw`; `read` gives those that are chosen.
 * @param {HTMLElement} root
 * @param {{fields: HTMLTemplateElement, choice: HTMLTemplateElement}} templates
 */
export function gameFields(root, templates) {
  root.replaceChildren(templates.fields.content.cloneNode(true));
  for (const fieldset of root.querySelectorAll("fieldset")) {
    const name = fieldset.dataset.option ?? "";
    fieldset.querySelector("div")?.replaceChildren(...CHOICES[name].map((one) => option(templates.choice, name, one)));
  }
  const inputs = () => [...root.querySelectorAll("input")];
  return {
    /** @param {Record<string, any>} [options] */
    draw(options) {
      const choice = chosen(options);
      for (const input of inputs()) input.checked = choice[input.name] === input.value;
    },
    read() {
      const picked = inputs().filter(({ checked }) => checked).map(({ name, value }) => [name, value]);
      return optionsOf({ ...chosen(), ...Object.fromEntries(picked) });
    },
  };
}

function option(template, name, { value, label, picture, sign }) {
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
  input.name = name;
  input.value = value;
  const text = /** @type {HTMLElement} */ (element.querySelector("span"));
  const mark = /** @type {HTMLElement} */ (element.querySelector("i"));
  if (picture) mark.append(Object.assign(document.createElement("b"), { className: picture }));
  else if (sign) mark.textContent = sign;
  else mark.remove();
  text.append(label);
  return element;
}
