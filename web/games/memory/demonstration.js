// @ts-check
import { start } from "./fold.js";

const scores = { 0: 0, 1: 0 };
const card = (/** @type {number} */ cell, /** @type {string} */ face) => ({ type: "show-card", seat: 0, cell, face });

/**
 * Two different cards turn back; two equal ones are won.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const demonstration = {
  view: start(/** @type {any} */ ({
    theme: { name: "animals", colour: ["orange"] }, board: { columns: 4, rows: 2, pairs: 4 },
    options: { reveal: 1_000, matched: "stay" }, seats: [{ seat: 0 }, { seat: 1 }], first: 0,
  })),
  steps: [
    [900, card(1, "🦊")], [900, card(6, "🐼")], [1_500, { type: "hide-card", seat: 0, cells: [1, 6], scores }],
    [1_000, card(3, "🐼")], [900, card(6, "🐼")],
    [600, { type: "match", seat: 0, cells: [3, 6], scores: { ...scores, 0: 1 } }],
  ],
};

/** A larger board in the middle of a game: the faces already won, and by whom. */
const WON = /** @type {Record<number, [string, number]>} */ (
  { 0: ["🦊", 0], 9: ["🦊", 0], 2: ["🐸", 1], 7: ["🐸", 1], 4: ["🐰", 0], 11: ["🐰", 0] });
const dealt = start(/** @type {any} */ ({
  theme: { name: "animals", colour: ["orange"] }, board: { columns: 4, rows: 3, pairs: 6 },
  options: { reveal: 1_000, matched: "stay" }, seats: [{ seat: 0 }, { seat: 1 }], first: 0,
}));

/**
 * One attempt misses, the next finds a pair.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const miniature = {
  view: { ...dealt, cells: dealt.cells.map((card, cell) =>
    (cell in WON ? { state: "won", face: WON[cell][0], by: WON[cell][1] } : card)) },
  steps: [
    [600, card(5, "🐼")], [800, card(10, "🐨")], [1_100, { type: "hide-card", seat: 0, cells: [5, 10], scores }],
    [700, { ...card(8, "🐼"), seat: 1 }], [800, { ...card(5, "🐼"), seat: 1 }],
    [600, { type: "match", seat: 1, cells: [5, 8], scores: { ...scores, 1: 1 } }],
  ],
};
