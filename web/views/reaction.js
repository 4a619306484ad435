// @ts-check
import { isStill } from "../store/settings.js";

/** Most that float at a time; more are not shown. */
const LIMIT = 16;
const LASTS = 2_200;

/**
 * An emoji rises from the middle of `origin` and fades, with a name if its sender has no place there. Without motion it
 * stays as long.
 * @param {Element} origin
 * @param {string} emoji
 * @param {string} [name]
 */
export function floatReaction(origin, emoji, name) {
  if (document.querySelectorAll(".reaction").length >= LIMIT) return;
  const { left, top, width, height } = origin.getBoundingClientRect();
  const element = document.createElement("span");
  element.className = "reaction";
  element.setAttribute("aria-hidden", "true");
  element.append(Object.assign(document.createElement("span"), { textContent: emoji }));
  if (name) element.append(Object.assign(document.createElement("small"), { textContent: name, dir: "auto" }));
  element.style.setProperty("left", `${left + width / 2}px`);
  element.style.setProperty("top", `${top + height / 2}px`);
  document.body.append(element);
  const drift = (Math.random() - 0.5) * 60, rise = Math.min(150, top + height / 2 - 30);
  const path = isStill()
    ? [{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }]
    : [{ opacity: 0, transform: "translate(-50%, -50%) scale(0.4)" },
      { opacity: 1, transform: "translate(-50%, -80%) scale(1.25)", offset: 0.15 },
      { opacity: 1, offset: 0.7 },
      { opacity: 0, transform: `translate(calc(-50% + ${drift}px), calc(-50% - ${rise}px)) scale(1)` }];
  element.animate(path, { duration: LASTS, easing: "ease-out", fill: "both" }).finished
    .then(() => element.remove(), () => element.remove());
}
