// @ts-check
import { show, vary, write } from "./element-changes.js";

/** How long a bubble stays, in ms: time to read it, more for longer ones. */
const SHORTEST = 1_500;
const PER_CHARACTER = 45;
/** Its distance from its target and from the edges of the window, in px. */
const GAP = 9;

/**
 * Sentences that appear for a moment, in `root`, at their subject: above it, or below if there is no space. They lie
 * over the page and move nothing. `say` gets each once, for people who cannot see it.
 * @param {HTMLElement} root
 * @param {(sentence: string) => void} say
 */
export function bubble(root, say) {
  let timer = 0;
  let place = /** @type {Element | null} */ (null);
  const hide = () => {
    show(root, false);
    place = null;
  };
  // It would point at something else.
  for (const type of ["scroll", "resize"]) addEventListener(type, hide, { capture: true, passive: true });
  /**
   * Shows `words` at `element`; empty words hide it.
   * @param {Element} element
   * @param {string} words
   */
  return function tell(element, words) {
    clearTimeout(timer);
    if (!words) return hide();
    timer = window.setTimeout(hide, SHORTEST + words.length * PER_CHARACTER);
    // Read aloud once, however often it is pressed.
    if (place !== element || root.textContent !== words) say(words);
    place = element;
    write(root, words);
    show(root, true);
    const { left, top, bottom, width } = element.getBoundingClientRect();
    const centre = left + width / 2, half = root.offsetWidth / 2, isAbove = top - root.offsetHeight - 2 * GAP > 0;
    const middle = Math.max(half + GAP, Math.min(innerWidth - half - GAP, centre));
    root.dataset.side = isAbove ? "above" : "below";
    vary(root, "--x", `${middle}px`);
    vary(root, "--y", `${isAbove ? top - GAP : bottom + GAP}px`);
    vary(root, "--tail", `${centre - middle}px`);
  };
}
