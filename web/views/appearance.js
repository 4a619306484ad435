// @ts-check

/** The colour of the browser's own bars, the same as `--ground` in the style sheet. */
const GROUND = { light: "#f7f5fc", dark: "#12101b" };

/**
 * Applies the chosen colours and motion to the page; the style sheets do the rest.
 * @param {Document} page
 * @param {import("../store/settings.js").Settings} settings
 */
export function showAppearance(page, { colours, still }) {
  const { dataset } = page.documentElement;
  if (colours) dataset.colours = colours;
  else delete dataset.colours;
  if (still) dataset.still = "true";
  else delete dataset.still;
  for (const bar of page.querySelectorAll("meta[name='theme-color']")) {
    const system = bar.getAttribute("media")?.includes("dark") ? "dark" : "light";
    bar.setAttribute("content", GROUND[colours ?? system]);
  }
}
