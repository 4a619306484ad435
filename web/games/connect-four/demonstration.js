// @ts-check
import { fold, landing, start } from "./fold.js";

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

/** A complete game: its columns, from 1. It plays the last `LAST` moves, `PAUSE` ms apart. */
const GAME = "4324544443335321555", LAST = 3, PAUSE = 900, WON = [11, 17, 23, 29];
const moves = [...GAME].reduce((made, column, index) => {
  const view = made.reduce((view, event) => fold(view, /** @type {any} */ (event)), empty);
  return [...made, drop(index % 2, landing(view, Number(column) - 1) ?? 0)];
}, /** @type {ReturnType<typeof drop>[]} */ ([]));

/**
 * How it ends.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const miniature = {
  view: moves.slice(0, -LAST).reduce((view, event) => fold(view, /** @type {any} */ (event)), empty),
  steps: moves.slice(-LAST).map((event, index) => [PAUSE, index === LAST - 1 ? { ...event, line: WON } : event]),
};
