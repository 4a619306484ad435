// @ts-check
import { rowsOf, squareOf } from "../squares.js";
import { bookSize, RANKS } from "./fold.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 */

/** Squares in a line of a message. */
const LINE = 13;

/**
 * The books in the order in which they were laid down, with whose they are.
 * @param {View} view
 */
export const squares = ({ books }) =>
  rowsOf(books.map(({ seat }) => squareOf(seat)), LINE).map((row) => ({ squares: row }));

/**
 * The ranks with who has their books.
 * @param {View} view
 */
export function board(view) {
  const { books } = view, perRank = 4 / bookSize(view);
  return {
    columns: perRank === 1 ? 5 : 6,
    tiles: RANKS.flatMap((rank) => Array.from({ length: perRank }, (_, index) => {
      const laid = books.filter((book) => book.rank === rank)[index];
      return laid ? { seat: laid.seat, text: rank } : { ground: "#d9d2ec", text: rank };
    })),
  };
}
