// @ts-check
import { start } from "./fold.js";

/** Two of each side, one row above the other. */
const FIRST = [36, 37], SECOND = [29, 30];
const empty = start(/** @type {any} */ ({ options: {}, seats: [{ seat: 0 }, { seat: 1 }], first: 0 }));
const drop = (/** @type {number} */ seat, /** @type {number} */ cell) => ({ type: "drop-disc", seat, cell });

/**
 * Discs fall; four in a row win.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const demonstration = {
  view: {
    ...empty, cells: empty.cells.map((_, cell) => (FIRST.includes(cell) ? 0 : SECOND.includes(cell) ? 1 : null)),
  },
  steps: [[1_000, drop(0, 38)], [1_100, drop(1, 31)], [1_100, { ...drop(0, 39), line: [36, 37, 38, 39] }]],
};
