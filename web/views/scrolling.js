// @ts-check
import { isStill } from "../store/settings.js";

/** The least distance from the edge, in px. */
const MARGIN = 8;

/**
 * Scrolls `region`, and nothing around it, as far as needed to show `element`.
 * @param {Element} region
 * @param {Element} element
 * @param {{isAtOnce?: boolean}} how
 */
export function bringIntoSight(region, element, { isAtOnce = isStill() } = {}) {
  const inner = element.getBoundingClientRect(), outer = region.getBoundingClientRect();
  const left = distance(inner.left, inner.right, outer.left, outer.right);
  const top = distance(inner.top, inner.bottom, outer.top, outer.bottom);
  if (left || top) region.scrollBy({ left, top, behavior: isAtOnce ? "auto" : "smooth" });
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} first
 * @param {number} last
 */
const distance = (from, to, first, last) =>
  Math.min(0, from - MARGIN - first) || Math.max(0, to + MARGIN - last);
