// @ts-check
import { qr } from "../qr/qr.js";

/** The light margin that readers need, in modules. */
const MARGIN = 4;
const SVG = "http://www.w3.org/2000/svg";

/**
 * A QR code of `text`, dark on white in both colour schemes: most cameras read no other.
 * @param {string} text
 * @param {string} label its description, for people who cannot see it
 */
export function qrPicture(text, label) {
  const code = qr(text);
  const side = code.length + 2 * MARGIN;
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${side} ${side}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  picture.setAttribute("shape-rendering", "crispEdges");
  const ground = document.createElementNS(SVG, "rect");
  for (const name of ["width", "height"]) ground.setAttribute(name, String(side));
  ground.setAttribute("fill", "#fff");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", code.flatMap((row, y) => row.flatMap((isDark, x) =>
    (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : []))).join(""));
  path.setAttribute("fill", "#000");
  picture.append(ground, path);
  return picture;
}
