// @ts-check
import { addTexts, spoken, tagOf, text } from "../texts/texts.js";

/**
 * Puts the page's language into the static markup: `data-text` is the key of an element's text, `data-text-label` that
 * of its label. Templates too. The markup itself is English, and the only place with these words: this function adds
 * them to the texts.
 * @param {Document} page
 */
export function translate(page) {
  page.documentElement.lang = tagOf(spoken());
  const templates = [...page.querySelectorAll("template")].map(({ content }) => content);
  const elements = [page, ...templates].flatMap((root) => [...root.querySelectorAll("[data-text], [data-text-label]")]);
  /** @type {Record<string, string>} */
  const english = {};
  for (const element of elements) {
    const key = element.getAttribute("data-text"), label = element.getAttribute("data-text-label");
    if (key) english[key] = (element.textContent ?? "").trim().replace(/\s+/g, " ");
    if (label) english[label] = element.getAttribute("aria-label") ?? "";
  }
  addTexts({ en: english });
  if (spoken() === "en") return;
  for (const element of elements) {
    const key = element.getAttribute("data-text"), label = element.getAttribute("data-text-label");
    if (key) element.textContent = text(key);
    if (label) element.setAttribute("aria-label", text(label));
  }
}
