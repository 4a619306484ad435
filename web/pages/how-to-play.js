// @ts-check
import { RULES } from "../games/memory-options.js";
import { element } from "./elements.js";

/** Shows the rules; the table of scores comes from where the form has it. */
export function showHowToPlay() {
  element("how-to-play").hidden = false;
  document.title = "How to play · Flipside";
  element("rules").replaceChildren(...RULES.map(({ label, match, miss, remark }) => {
    const row = document.createElement("tr");
    for (const text of [label, match, miss, remark]) row.append(cell(text));
    return row;
  }));
}

function cell(text) {
  const element = document.createElement("td");
  element.textContent = text;
  return element;
}
