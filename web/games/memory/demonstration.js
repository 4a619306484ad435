// @ts-check
import { start } from "./fold.js";

const scores = { 0: 0, 1: 0 };
const card = (/** @type {number} */ cell, /** @type {string} */ face) => ({ type: "show-card", seat: 0, cell, face });

/**
 * Two cards that differ turn back, two of a kind are won.
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
