// @ts-check
import { fold, start } from "./fold.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {{type: string, [field: string]: unknown}} Event
 */

const sealed = (/** @type {number} */ seat) => ({ type: "bid-sealed", seat });
const prize = (/** @type {number} */ value) => ({ type: "prize-shown", prize: value });
const shown = (/** @type {number[]} */ cards, /** @type {number} */ stake, /** @type {number} */ winner) => ({
  type: "bids-shown", bids: cards.map((card, seat) => ({ seat, card })), stake, ...(winner >= 0 && { winner }),
});

const begun = (/** @type {number} */ players, /** @type {number} */ cards) => start(/** @type {any} */ (
  { options: { cards }, seats: [...Array(players).keys()].map((seat) => ({ seat })), first: 0 }));
/** @type {(view: View, events: Event[]) => View} */
const after = (view, events) => events.reduce((view, event) => fold(view, /** @type {any} */ (event)), view);

const view = after(begun(3, 7), [prize(2), shown([2, 1, 3], 2, 2), prize(6)]);

/** @type {[number, Event][]} */
const STEPS = [
  [1_300, sealed(1)], [900, sealed(0)], [900, sealed(2)], [900, shown([7, 7, 4], 6, 2)], [2_200, prize(5)],
  [1_300, sealed(0)], [900, sealed(2)], [900, sealed(1)], [900, shown([6, 4, 5], 5, 0)], [2_200, prize(7)],
];
/**
 * What is left after the cards `used`, with a bid that lies there.
 * @param {number[]} used
 * @param {number} bid 0 for none
 */
const hand = (used, bid = 0) => ({
  0: { cards: [1, 2, 3, 4, 5, 6, 7].filter((card) => ![...used, bid].includes(card)), ...(bid && { bid }) },
});

/**
 * Two bid the same, so that the third wins; then the highest bid does.
 * @type {import("../game.js").Demonstration<View>}
 */
export const demonstration = {
  seat: 0, view, steps: STEPS,
  hands: [hand([2]), hand([2]), hand([2], 7), hand([2], 7), hand([2, 7]), hand([2, 7]),
    hand([2, 7], 6), hand([2, 7], 6), hand([2, 7], 6), hand([2, 7, 6]), hand([2, 7, 6])],
};

/**
 * Two bids for one prize.
 * @type {import("../game.js").Demonstration<View>}
 */
export const miniature = {
  view: after(begun(2, 4), [prize(1), shown([2, 1], 1, 0), prize(4)]),
  steps: [[900, sealed(1)], [900, sealed(0)], [900, shown([3, 4], 4, 1)], [1_200, prize(3)]],
};
