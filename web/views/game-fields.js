// @ts-check
import { games } from "../games/room.js";
import { BOARDS, COLUMNS, ROWS, RULES, SEATS, THEMES, TURN_RULES } from "../games/memory-options.js";
import { text } from "../texts.js";
import { chosen, duration, TURN_TIMES } from "../games/options.js";

const plain = (value) => ({ value: String(value), label: String(value) });
/** What is chosen by a press, each of them in sight. */
const choices = () => ({
  game: Object.entries(games).map(([name, { title }]) => ({ value: name, label: text(title) })),
  board: BOARDS.map(({ name, label }) => ({ value: name, label: text(label), picture: `glyph-board ${name}` })),
  turnTime: TURN_TIMES.map((time) => ({ value: String(time), label: time ? duration(time) : text("option.no-time") })),
  seats: SEATS.map(plain),
});
/** What is chosen from a list. */
const lists = () => ({
  theme: THEMES.map(({ name, label, sign }) => ({ value: name, label: `${sign} ${text(label)}` })),
  rule: [{ value: "", label: text("memory.rule.by-board") },
    ...RULES.map((rule) => ({ value: rule, label: text(`rule.${rule}`) }))],
  turnRule: TURN_RULES.map((rule) => ({ value: rule, label: text(`home.turn-rule.${rule}`) })),
  columns: COLUMNS.map((count) => ({ value: String(count), label: text("option.wide", { count }) })),
  rows: ROWS.map((count) => ({ value: String(count), label: text("option.high", { count }) })),
});

/**
 * The choices of a game in `root`. Draws a room's game and options given to `draw`.
 * @param {HTMLElement} root
 * @param {{fields: HTMLTemplateElement, choice: HTMLTemplateElement}} templates
 */
export function gameFields(root, templates) {
  root.replaceChildren(templates.fields.content.cloneNode(true));
  const offered = choices(), listed = lists();
  for (const fieldset of root.querySelectorAll("fieldset[data-option]")) {
    const name = /** @type {HTMLElement} */ (fieldset).dataset.option ?? "";
    fieldset.querySelector("div")?.replaceChildren(...offered[name].map((one) => option(templates.choice, name, one)));
  }
  for (const select of root.querySelectorAll("select")) {
    select.append(...listed[select.name].map(({ value, label }) => new Option(label, value)));
  }
  return {
    /** @param {string} [game] a room's; without it any may be chosen @param {Record<string, any>} [options] */
    draw(game, options) {
      const choice = chosen(game, options);
      for (const input of root.querySelectorAll("input")) {
        input.checked = choice[input.name] === input.value;
        // A room keeps its game.
        if (input.name === "game") input.disabled = game !== undefined && !input.checked;
      }
      for (const select of root.querySelectorAll("select")) select.value = choice[select.name];
    },
    /** What is chosen, by the names of the fields; nothing for one that shows none of what it offers. */
    read() {
      const checked = [...root.querySelectorAll("input")].filter((input) => input.checked);
      const fields = [...checked, ...root.querySelectorAll("select")];
      return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    },
  };
}

function option(template, name, { value, label, picture }) {
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const input = /** @type {HTMLInputElement} */ (element.querySelector("input"));
  input.name = name;
  input.value = value;
  const words = /** @type {HTMLElement} */ (element.querySelector("span"));
  const mark = /** @type {HTMLElement} */ (element.querySelector("i"));
  if (picture) mark.append(Object.assign(document.createElement("b"), { className: picture }));
  else mark.remove();
  words.append(label);
  return element;
}
