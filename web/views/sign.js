// @ts-check

const SVG = "http://www.w3.org/2000/svg";

/**
 * An icon, drawn like those in the static markup.
 * @param {string} lines the `d` of a path in a square of 24 by 24
 */
export function sign(lines) {
  const icon = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  icon.setAttribute("class", "sign");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  path.setAttribute("d", lines);
  icon.append(path);
  return icon;
}
