// @ts-check
import { start } from "./fold.js";

/** Three white discs in a row, and a black one at their end. */
const WHITE = [27, 28, 29, 36], BLACK = [26, 35, 37];
const empty = start(/** @type {any} */ ({ options: {}, seats: [{ seat: 0 }, { seat: 1 }], first: 0 }));

/**
 * A disc turns over all discs between it and another of its colour.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const demonstration = {
  view: {
    ...empty, cells: empty.cells.map((_, cell) => (BLACK.includes(cell) ? 0 : WHITE.includes(cell) ? 1 : null)),
  },
  steps: [[1_300, { type: "place-disc", seat: 0, cell: 30, flips: [29, 28, 27] }]],
};

/** The middle of a game, row by row: who has which square. */
const MIDDLE = "..0.1..1...0...11.1001011.1010..100001..101111..0...1.....0000..";

/**
 * Moves that turn over many discs.
 * @type {import("../game.js").Demonstration<import("./fold.js").View>}
 */
export const miniature = {
  view: { ...empty, cells: [...MIDDLE].map((holder) => (holder === "." ? null : Number(holder))) },
  steps: [
    [900, { type: "place-disc", seat: 1, cell: 56, flips: [48] }],
    [1_100, { type: "place-disc", seat: 0, cell: 46, flips: [37, 28, 45, 44, 43, 42] }],
    [1_400, { type: "place-disc", seat: 1, cell: 47, flips: [46, 45, 44, 43, 42, 41] }],
  ],
};
