// @ts-check
import { start } from "./fold.js";

/** @typedef {import("./fold.js").View} View */

const begun = start(/** @type {any} */ (
  { options: { books: "fours" }, seats: [{ seat: 0 }, { seat: 1 }, { seat: 2 }], first: 0 }));

/**
 * Two sevens are given, and complete the book.
 * @type {import("../game.js").Demonstration<View>}
 */
export const demonstration = {
  seat: 0,
  view: {
    ...begun, awaited: [0], pond: 18, cards: { 0: 5, 1: 6, 2: 4 }, scores: { 0: 1, 1: 0, 2: 1 },
    books: [{ seat: 0, rank: "4" }, { seat: 2, rank: "J" }],
  },
  steps: [
    [1_300, { type: "cards-asked", seat: 0, of: 1, rank: "7", count: 2 }],
    [1_500, { type: "book", seat: 0, rank: "7" }],
    [1_300, { type: "cards-asked", seat: 0, of: 2, rank: "Q", count: 0 }],
    [1_100, { type: "card-drawn", seat: 0 }],
  ],
  hands: ["7♠ 7♦ 10♥ Q♠ Q♥", "7♠ 7♥ 7♦ 7♣ 10♥ Q♠ Q♥", "10♥ Q♠ Q♥", "10♥ Q♠ Q♥", "2♣ 10♥ Q♠ Q♥"]
    .map((cards) => ({ 0: { cards: cards.split(" ") } })),
};
