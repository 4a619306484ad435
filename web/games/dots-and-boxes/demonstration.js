// @ts-check
import { fold, linesOf, start } from "./fold.js";

const draw = (/** @type {number} */ seat, /** @type {number} */ line, /** @type {number[]} */ ...boxes) =>
  ({ type: "draw-line", seat, line, ...(boxes.length > 0 && { boxes }) });
const begun = (/** @type {number} */ size) =>
  start(/** @type {any} */ ({ options: { size }, seats: [{ seat: 0 }, { seat: 1 }], first: 0 }));
const after = (/** @type {import("./fold.js").View} */ view, /** @type {ReturnType<typeof draw>[]} */ events) =>
  events.reduce((view, event) => fold(view, /** @type {any} */ (event)), view);

/**
 * The fourth side of a box wins it, and another line.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const demonstration = {
  view: after(begun(3), [draw(0, 0), draw(1, 6), draw(0, 11)]),
  steps: [[1_100, draw(1, 2)], [1_200, draw(0, 7, 0)], [900, draw(0, 9)]],
};

/** The end of a game: two boxes are left of a long row. */
const WON = [0, 0, 1, 0, 1, 1, 1, null, null];
const middle = begun(4), OPEN = [22, 23];

/**
 * Two boxes with two lines.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const miniature = {
  view: {
    ...middle, boxes: WON, scores: { 0: 3, 1: 4 },
    lines: linesOf(4).map((_, line) => (OPEN.includes(line) ? null : line % 2)),
  },
  steps: [[900, draw(0, 22, 7)], [900, draw(0, 23, 8)]],
};
