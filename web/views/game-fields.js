// @ts-check
import { changesOf, chosen, fieldsOf, hasTurnTime, remarkOn, TURN_TIME } from "../games/options.js";
import { text } from "../texts/texts.js";
import { write } from "./element-changes.js";

/** @typedef {import("../games/options.js").Field} Field */
/** @typedef {import("../games/options.js").RoomOptions} RoomOptions */

/**
 * The options of a game in `root`, drawn by `draw`.
 * @param {HTMLElement} root
 * @param {{fields: HTMLTemplateElement, choice: HTMLTemplateElement}} templates
 * @param {(game: string) => Field[]} [more] fields besides a room's options
 */
export function gameFields(root, templates, more = () => []) {
  root.replaceChildren(templates.fields.content.cloneNode(true));
  root.querySelector("[data-turn-time]")?.replaceWith(pressed(TURN_TIME, templates.choice));
  const remark = /** @type {HTMLElement} */ (root.querySelector(".remark"));
  const folded = /** @type {HTMLDetailsElement} */ (root.querySelector("details"));
  let asked = /** @type {RoomOptions} */ ({}), shown = /** @type {Record<string, string>} */ ({}), game = "";
  let only = /** @type {string[]} */ ([]);
  const drawChoice = () => {
    const choice = read(), options = Object.entries({ ...asked, ...changesOf(shown, choice) });
    const set = Object.fromEntries(options.filter(([, value]) => value !== null));
    showAsked(root, choice, only);
    write(remark, remarkOn(game, /** @type {RoomOptions} */ (set)));
  };
  root.addEventListener("change", drawChoice);
  const read = () => ({ game, ...chosenIn(root) });
  return {
    /**
     * @param {string} name of the game
     * @param {Object} [how]
     * @param {RoomOptions} [how.options] a room's: untouched ones keep their values, even those that the form does not
     *   offer
     * @param {Record<string, string>} [how.choice] what is chosen, if that differs
     * @param {string[]} [how.names] of the fields to show; all if empty
     */
    draw(name, how = {}) {
      const { options, names = [] } = how, { choice = chosen(name, options) } = how;
      if (name !== game) {
        root.querySelector(".more")?.replaceChildren(...more(name).map((field) => pressed(field, templates.choice)));
        for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-part]"))) {
          const fields = fieldsOf(name, /** @type {"shown" | "folded"} */ (place.dataset.part));
          place.replaceChildren(...fields.map((field) => drawField(field, templates.choice)));
        }
      }
      [game, only] = [name, names];
      root.dataset.only = String(only.length > 0);
      folded.open = only.length > 0;
      choose(root, choice);
      [asked, shown] = options ? [options, read()] : [{}, {}];
      drawChoice();
    },
    /**
     * The choices, by the names of the fields; none for a field with nothing selected.
     * @returns {Record<string, string>}
     */
    read,
    /** Shows the fields that the latest choice needs. */
    redraw: drawChoice,
  };
}

/**
 * @param {HTMLElement} root
 * @returns {Record<string, string>}
 */
function chosenIn(root) {
  const checked = [...root.querySelectorAll("input")].filter((input) => input.checked);
  return Object.fromEntries([...checked, ...root.querySelectorAll("select")].map(({ name, value }) => [name, value]));
}

/**
 * @param {HTMLElement} root
 * @param {Record<string, string>} choice
 */
function choose(root, choice) {
  for (const input of root.querySelectorAll("input")) input.checked = choice[input.name] === input.value;
  for (const select of root.querySelectorAll("select")) select.value = choice[select.name];
}

/**
 * Hides fields that other choices rule out, and those that are not in `only`.
 * @param {HTMLElement} root
 * @param {Record<string, string>} choice
 * @param {string[]} only
 */
function showAsked(root, choice, only) {
  const fields = [...fieldsOf(choice.game, "shown"), ...fieldsOf(choice.game, "folded")].flat();
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-option]"))) {
    const name = field.dataset.option ?? "", isLeftOut = only.length > 0 && !only.includes(name);
    if (name === TURN_TIME.name && !hasTurnTime(choice.game, choice)) field.hidden = true;
    else field.hidden = isLeftOut || fields.find((one) => one.name === name)?.when?.(choice) === false;
  }
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".lists"))) {
    row.hidden = [...row.children].every((field) => field.hasAttribute("hidden"));
  }
}

/**
 * @param {Field | Field[]} field
 * @param {HTMLTemplateElement} template
 */
function drawField(field, template) {
  if (!Array.isArray(field)) return pressed(field, template);
  const row = document.createElement("div");
  row.className = "lists";
  row.append(...field.map(listed));
  return row;
}

/**
 * A field with all choices visible as buttons.
 * @param {Field} field
 * @param {HTMLTemplateElement} template
 */
function pressed({ name, label, choices }, template) {
  const fieldset = document.createElement("fieldset"), legend = document.createElement("legend");
  const offered = choices(), place = document.createElement("div");
  const isWordy = offered.length > 4 && offered.some(({ label }) => label.length > 3);
  fieldset.className = offered.some(({ picture }) => picture) ? "choice pictured" : isWordy ? "choice wordy" : "choice";
  fieldset.dataset.option = name;
  legend.textContent = text(label);
  place.append(...offered.map((one) => option(template, name, one)));
  fieldset.append(legend, place);
  return fieldset;
}

/**
 * A field as a drop-down list.
 * @param {Field} field
 */
function listed({ name, label, choices }) {
  const element = document.createElement("label"), words = document.createElement("span");
  const select = Object.assign(document.createElement("select"), { name });
  element.className = "field";
  element.dataset.option = name;
  words.textContent = text(label);
  select.append(...choices().map(({ value, label }) => new Option(label, String(value))));
  element.append(words, " ", select);
  return element;
}

/**
 * @param {HTMLTemplateElement} template
 * @param {string} name
 * @param {ReturnType<Field["choices"]>[number]} choice
 */
function option(template, name, { value, label, picture }) {
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
  input.name = name;
  input.value = String(value);
  const words = /** @type {HTMLElement} */ (element.querySelector("span"));
  const mark = /** @type {HTMLElement} */ (element.querySelector("i"));
  if (picture) mark.append(pictureOf(picture));
  else mark.remove();
  words.append(label);
  return element;
}

/**
 * The small picture of a board.
 * @param {number[]} sides
 */
function pictureOf([columns, rows]) {
  const picture = Object.assign(document.createElement("b"), { className: "glyph-board" });
  picture.style.setProperty("--columns", String(columns));
  picture.style.setProperty("--rows", String(rows));
  return picture;
}
