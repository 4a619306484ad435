// @ts-check
import { spoken, text } from "../texts.js";

/**
 * Puts the page's language into still markup: `data-text` is the key of an element's text, `data-text-label` that of
 * what it is called. Templates, too. The markup itself is English.
 * @param {Document} page
 */
export function translate(page) {
  page.documentElement.lang = spoken();
  if (spoken() === "en") return;
  const templates = [...page.querySelectorAll("template")].map(({ content }) => content);
  for (const root of [page, ...templates]) {
    for (const element of root.querySelectorAll("[data-text]")) {
      element.textContent = text(element.getAttribute("data-text") ?? "");
    }
    for (const element of root.querySelectorAll("[data-text-label]")) {
      element.setAttribute("aria-label", text(element.getAttribute("data-text-label") ?? ""));
    }
  }
}
