// @ts-check
import { games } from "../games/list.js";
import { text } from "../texts/texts.js";
import { element } from "./elements.js";

/** The rules of each game, as it tells them; what is the same in all stands below. */
export function howToPlayPage() {
  const root = element("how-to-play"), sections = Object.values(games).flatMap((game) =>
    (game.howToPlay ? [section(text(game.title), game.howToPlay())] : []));
  root.querySelector("h1").after(...sections);
  return { root, title: text("page.how-to-play"), enter() {}, leave() {} };
}

/**
 * @param {string} title
 * @param {import("../games/game.js").Explanation[]} explanations
 */
function section(title, explanations) {
  const root = make("section", "");
  root.className = "panel";
  root.append(make("h2", title), ...explanations.map((one) => (typeof one === "string" ? make("p", one) : table(one))));
  return root;
}

/** @param {{id?: string, head: string[], rows: string[][]}} content */
function table({ id = "", head, rows }) {
  const table = make("table", ""), top = make("thead", ""), body = make("tbody", "");
  body.id = id;
  // Nothing is headed where there are only remarks.
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
