// @ts-check

/** Where the keyboard stands on a board: arrows lead from there. */
const CELL = "#board:not([inert]) [data-cell][tabindex='0']";

/**
 * Leads past what stands on every page: to the board, where a game is played, else to the page that is shown. No
 * address changes, which would name another page.
 * @param {Document} page
 * @param {HTMLAnchorElement} link
 */
export function wireSkipLink(page, link) {
  const shown = () => /** @type {HTMLElement | null} */ (page.querySelector("main:not([hidden])"));
  link.addEventListener("focus", () => { link.hash = shown()?.id ?? link.hash; });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const main = shown();
    const place = /** @type {HTMLElement | null} */ (main?.querySelector(CELL)) ?? main;
    if (place === main) main?.setAttribute("tabindex", "-1");
    place?.focus();
  });
}
