// @ts-check
import { NOTHING, rowsOf, squareOf } from "../squares.js";

/** @typedef {import("./fold.js").View} View */

/**
 * The boxes at the end, with whose they are.
 * @param {View} view
 */
export const squares = ({ boxes, size }) =>
  rowsOf(boxes.map((seat) => (seat === null ? NOTHING : squareOf(seat))), size - 1).map((row) => ({ squares: row }));

/** @param {View} view */
export const board = ({ boxes, size }) =>
  ({ columns: size - 1, tiles: boxes.map((seat) => (seat === null ? { ground: "#d9d2ec" } : { seat })) });
