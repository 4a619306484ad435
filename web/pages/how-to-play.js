// @ts-check
import { games } from "../games/list.js";
import { addTexts, text } from "../texts/texts.js";
import { demonstrationOf } from "../views/demonstration.js";
import { element } from "./elements.js";

/** The rules of each game, in pictures and words; rules that all share stand below. */
export async function howToPlayPage() {
  const words = await Promise.all(Object.values(games).map(({ texts }) => texts?.howToPlay?.()));
  for (const one of words) if (one) addTexts(one);
  const root = element("how-to-play"), told = Object.entries(games).filter(([, { howToPlay }]) => howToPlay);
  const shown = told.filter(([, { demonstration }]) => demonstration).map(([name]) =>
    ({ name, ...demonstrationOf(element("demonstration-template"), name) }));
  root.querySelector("h1").after(...told.map(([name, { title, howToPlay }]) =>
    section(text(title), howToPlay?.() ?? [], shown.find((one) => one.name === name)?.root)));
  return {
    root, title: text("page.how-to-play"),
    enter() { for (const one of shown) one.enter(); },
    leave() { for (const one of shown) one.leave(); },
  };
}

/**
 * @param {string} title
 * @param {import("../games/game.js").Explanation[]} explanations
 * @param {HTMLElement} [picture] stands beside the first one
 */
function section(title, explanations, picture) {
  const root = make("section", ""), top = make("div", "");
  root.className = "panel";
  top.className = "shown";
  const [first, ...others] = explanations.map((one) => (typeof one === "string" ? make("p", one) : table(one)));
  top.append(...(picture ? [picture] : []), first);
  root.append(make("h2", title), top, ...others);
  return root;
}

/** @param {{id?: string, head: string[], rows: string[][]}} content */
function table({ id = "", head, rows }) {
  const table = make("table", ""), top = make("thead", ""), body = make("tbody", "");
  body.id = id;
  // A table of mere remarks has no headings.
  top.append(row(head, (words) => make(words ? "th" : "td", words)));
  body.append(...rows.map((words) => row(words, (one) => make("td", one))));
  table.append(top, body);
  return table;
}

/**
 * @param {string[]} words
 * @param {(words: string) => HTMLElement} cell
 */
function row(words, cell) {
  const row = make("tr", "");
  row.append(...words.map(cell));
  return row;
}

/**
 * @param {string} tag
 * @param {string} words
 */
const make = (tag, words) => Object.assign(document.createElement(tag), { textContent: words });
