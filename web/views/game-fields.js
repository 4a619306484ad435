// @ts-check
import { changesOf, chosen, duration, fieldsOf, remarkOn, TURN_TIMES } from "../games/options.js";
import { games } from "../games/list.js";
import { text } from "../texts/texts.js";
import { write } from "./element-changes.js";

/** @typedef {import("../games/options.js").Field} Field */
/** @typedef {import("../games/options.js").RoomOptions} RoomOptions */

/**
 * What each room has: the game and the time for a turn.
 * @type {Record<string, Field>}
 */
const common = {
  game: {
    name: "game", label: "option.game",
    choices: () => Object.entries(games).map(([value, { title }]) => ({ value, label: text(title) })),
  },
  turnTime: {
    name: "turnTime", label: "option.turn-time",
    choices: () => TURN_TIMES.map((value) => ({ value, label: value ? duration(value) : text("option.no-time") })),
  },
};

/**
 * The choices of a game in `root`. Draws a room's game and options given to `draw`.
 * @param {HTMLElement} root
 * @param {{fields: HTMLTemplateElement, choice: HTMLTemplateElement}} templates
 */
export function gameFields(root, templates) {
  root.replaceChildren(templates.fields.content.cloneNode(true));
  for (const place of root.querySelectorAll("[data-common]")) {
    place.replaceWith(pressed(common[/** @type {HTMLElement} */ (place).dataset.common ?? ""], templates.choice));
  }
  const remark = /** @type {HTMLElement} */ (root.querySelector(".remark"));
  let asked = /** @type {RoomOptions} */ ({}), shown = /** @type {Record<string, string>} */ ({});
  const places = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-part]")]);
  /** The fields of each game, made when it is first chosen: what was chosen there is not lost. */
  const made = /** @type {Map<string, HTMLElement[][]>} */ (new Map());
  const lay = (/** @type {string} */ game) => {
    const isNew = !made.has(game);
    if (isNew) {
      made.set(game, places.map(({ dataset }) =>
        fieldsOf(game, /** @type {"shown" | "folded"} */ (dataset.part))
          .map((field) => drawField(field, templates.choice))));
    }
    places.forEach((place, index) => place.replaceChildren(...(made.get(game)?.[index] ?? [])));
    // The time for a turn is chosen for whatever game it will be.
    if (isNew) choose(root, { ...chosen(game), turnTime: read(root).turnTime });
  };
  const drawChoice = () => {
    const choice = read(root), options = Object.entries({ ...asked, ...changesOf(shown, choice) });
    showAsked(root, choice);
    write(remark, remarkOn(choice.game, Object.fromEntries(options.filter(([, value]) => value !== null))));
  };
  root.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "game") lay(target.value);
    drawChoice();
  });
  return {
    /**
     * @param {string} [game] a room's; without it any may be chosen
     * @param {RoomOptions} [options]
     */
    draw(game, options) {
      const choice = chosen(game, options);
      lay(choice.game);
      choose(root, choice);
      for (const input of root.querySelectorAll("input")) {
        // A room keeps its game.
        if (input.name === "game") input.disabled = game !== undefined && !input.checked;
      }
      // What nobody touches stays as the room has it, be it more than the form can say.
      [asked, shown] = options ? [options, read(root)] : [{}, {}];
      drawChoice();
    },
    /** What is chosen, by the names of the fields; nothing for one that shows none of what it offers. */
    read: () => read(root),
  };
}

/**
 * @param {HTMLElement} root
 * @returns {Record<string, string>}
 */
function read(root) {
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
 * Not what else is chosen leaves out.
 * @param {HTMLElement} root
 * @param {Record<string, string>} choice
 */
function showAsked(root, choice) {
  for (const { name, when } of [...fieldsOf(choice.game, "shown"), ...fieldsOf(choice.game, "folded")].flat()) {
    const field = root.querySelector(`[data-option="${name}"]`);
    if (field instanceof HTMLElement) field.hidden = when?.(choice) === false;
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
 * Chosen by a press, each choice in sight.
 * @param {Field} field
 * @param {HTMLTemplateElement} template
 */
function pressed({ name, label, choices }, template) {
  const fieldset = document.createElement("fieldset"), legend = document.createElement("legend");
  const offered = choices(), place = document.createElement("div");
  fieldset.className = offered.some(({ picture }) => picture) ? "choice pictured" : "choice";
  fieldset.dataset.option = name;
  legend.textContent = text(label);
  place.append(...offered.map((one) => option(template, name, one)));
  fieldset.append(legend, place);
  return fieldset;
}

/**
 * A field that is chosen from a list.
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
