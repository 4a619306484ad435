// @ts-check
import { isStill } from "../store/settings.js";

const PIECES = 90;

/** Drops confetti over the page once, unless the viewer prefers less motion. */
export function celebrate() {
  if (isStill()) return;
  const sky = document.createElement("div");
  sky.className = "confetti";
  sky.setAttribute("aria-hidden", "true");
  sky.append(...Array.from({ length: PIECES }, () => document.createElement("i")));
  document.body.append(sky);
  const falls = [...sky.children].map((piece) => fall(/** @type {HTMLElement} */ (piece)));
  Promise.allSettled(falls).then(() => sky.remove());
}

function fall(/** @type {HTMLElement} */ piece) {
  const start = Math.random() * 100, drift = (Math.random() - 0.5) * 24;
  piece.style.setProperty("left", `${start}%`);
  const turn = `rotate3d(${Math.random()}, ${Math.random()}, 0.6, ${2 + Math.random() * 4}turn)`;
  return piece.animate(
    [{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.8 },
      { transform: `translate(${drift}vw, 108vh) ${turn}`, opacity: 0 }],
    { duration: 2_200 + Math.random() * 1_800, delay: Math.random() * 700, easing: "cubic-bezier(0.2, 0.3, 0.6, 1)",
      fill: "backwards" }).finished;
}
