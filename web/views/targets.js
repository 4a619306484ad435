// @ts-check

/**
 * What boards have in common: places that can be pressed, cells, lines or cards, which arrow keys walk over.
 */

/** @typedef {{x: number, y: number, width: number, height: number, isOff?: boolean}} Place of its top left corner */

/** @type {Record<string, ["x" | "y", 1 | -1]>} */
const DIRECTIONS = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", -1], ArrowDown: ["y", 1] };

/**
 * Calls `act(target)` for a clicked target, and lets arrow keys walk over the targets that are not disabled. These are
 * the elements in `root` with `data-target`, wherever they are drawn; all have the same positioned ancestor. One at a
 * time is in the tab order: the last that had the focus.
 * @param {HTMLElement} root
 * @param {(target: number) => void} act
 */
export function targetsOf(root, act) {
  /** A walk in one direction keeps to the line on which it began. */
  let walk = { key: "", at: /** @type {Element | null} */ (null), line: 0 };
  root.addEventListener("click", ({ target }) => {
    const pressed = /** @type {Element} */ (target).closest("[data-target]");
    if (pressed instanceof HTMLElement) act(Number(pressed.dataset.target));
  });
  root.addEventListener("keydown", (event) => {
    // A key still held down was pressed for the element that had the focus before.
    if (event.repeat && event.key === "Enter") return event.preventDefault();
    const held = document.activeElement;
    if (!(held instanceof HTMLElement) || !held.matches("[data-target]") || !root.contains(held)) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = [.../** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-target]"))];
    const places = all.map(placeOf), from = all.findIndex((one) => one === held);
    const goesOn = walk.at === held && walk.key === event.key;
    const line = goesOn ? walk.line : lineThrough(places[from], event.key);
    const next = all[nearest(places, from, event.key, line)];
    if (!next) return;
    event.preventDefault();
    next.focus();
    walk = { key: event.key, at: next, line };
  });
  root.addEventListener("focusin", ({ target }) => {
    const before = root.querySelector("[data-target][tabindex='0']");
    if (!(target instanceof HTMLElement) || target === before || !target.matches("[data-target]")) return;
    if (before instanceof HTMLElement) before.tabIndex = -1;
    target.tabIndex = 0;
  });
}

/**
 * Where a target is laid out. Unlike its place on the screen this does not move while it turns or slides.
 * @param {HTMLButtonElement} target
 * @returns {Place}
 */
const placeOf = ({ offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height, disabled: isOff }) =>
  ({ x, y, width, height, isOff });

/**
 * The middle of a place, along `axis`.
 * @param {Place} place
 * @param {"x" | "y"} axis
 */
const middle = (place, axis) => place[axis] + (axis === "x" ? place.width : place.height) / 2;

/**
 * Where the line that `key` walks along passes through a place.
 * @param {Place} place
 * @param {string} key
 */
export const lineThrough = (place, key) => middle(place, DIRECTIONS[key]?.[0] === "x" ? "y" : "x");

/**
 * The index of the next place from the one at `from` in the direction of `key`, or of the first or last one for Home
 * and End; -1 if there is none. Only places that face each other are neighbours, and the nearest to `line` counts; so
 * keys continue over a hole.
 * @param {Place[]} places
 * @param {number} from
 * @param {string} key
 * @param {number} line
 */
export function nearest(places, from, key, line) {
  const isThere = (/** @type {Place} */ { isOff }) => !isOff;
  if (key === "Home") return places.findIndex(isThere);
  if (key === "End") return places.map(isThere).lastIndexOf(true);
  const direction = DIRECTIONS[key];
  if (!direction) return -1;
  const [axis, sign] = direction, across = axis === "x" ? "y" : "x", own = places[from];
  const found = { index: -1, distance: Infinity };
  places.forEach((place, index) => {
    const ahead = sign * (middle(place, axis) - middle(own, axis));
    if (!isThere(place) || ahead < 1 || !areFacing(own, place, across)) return;
    const distance = Math.hypot(ahead, middle(place, across) - line);
    // Of two that are equally near, the first one.
    if (distance < found.distance - 0.5) Object.assign(found, { index, distance });
  });
  return found.index;
}

/**
 * Whether two places share more than an edge of their extent along `axis`.
 * @param {Place} a
 * @param {Place} b
 * @param {"x" | "y"} axis
 */
function areFacing(a, b, axis) {
  const size = axis === "x" ? "width" : "height";
  return Math.min(a[axis] + a[size], b[axis] + b[size]) - Math.max(a[axis], b[axis]) > 1;
}
