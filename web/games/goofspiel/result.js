// @ts-check
import { NOTHING, rowsOf, squareOf } from "../squares.js";

/** @typedef {import("./fold.js").View} View */

/**
 * Who won each round, in their order.
 * @param {View} view
 */
export const squares = ({ rounds, cards }) =>
  rowsOf(rounds.map(({ winner }) => (winner === undefined ? NOTHING : squareOf(winner))), cards)
    .map((row) => ({ squares: row }));

/**
 * The prizes by value, with who won each.
 * @param {View} view
 */
export function board({ rounds, cards }) {
  const holders = /** @type {Record<number, number>} */ ({});
  let waiting = /** @type {number[]} */ ([]);
  for (const { prize, winner } of rounds) {
    waiting.push(prize);
    if (winner === undefined) continue;
    for (const one of waiting) holders[one] = winner;
    waiting = [];
  }
  return {
    columns: cards > 8 ? 5 : 4,
    tiles: Array.from({ length: cards }, (_, index) => (holders[index + 1] === undefined
      ? { ground: "#d9d2ec", text: String(index + 1) } : { seat: holders[index + 1], text: String(index + 1) })),
  };
}
