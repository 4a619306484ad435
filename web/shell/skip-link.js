// @ts-check

/** The target with the keyboard's position on a board: arrow keys move from there. */
const TARGET = "#board:not([inert]) [data-target][tabindex='0']";

/**
 * Skips what stands on every page: moves to the board during a game, else to the page that is shown. The address does
 * not change, because another one would name another page.
 * @param {Document} page
 * @param {HTMLAnchorElement} link
 */
export function wireSkipLink(page, link) {
  const shown = () => /** @type {HTMLElement | null} */ (page.querySelector("main:not([hidden])"));
  link.addEventListener("focus", () => { link.hash = shown()?.id ?? link.hash; });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const main = shown();
    const place = /** @type {HTMLElement | null} */ (main?.querySelector(TARGET)) ?? main;
    if (place === main) main?.setAttribute("tabindex", "-1");
    place?.focus();
  });
}
