// @ts-check
import { RULES } from "../games/memory-options.js";
import { text } from "../texts.js";
import { element } from "./elements.js";

/** The rules; the table of scores comes from where the form has it. */
export function howToPlayPage() {
  element("rules").replaceChildren(...RULES.map((rule) => {
    const row = document.createElement("tr");
    for (const part of ["", ".match", ".miss", ".remark"]) row.append(cell(text(`rule.${rule}${part}`)));
    return row;
  }));
  return { root: element("how-to-play"), title: text("page.how-to-play"), enter() {}, leave() {} };
}

function cell(content) {
  const element = document.createElement("td");
  element.textContent = content;
  return element;
}
