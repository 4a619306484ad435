// @ts-check
import { NOTHING, rowsOf, squareOf } from "../squares.js";
import { COLUMNS } from "./fold.js";

/** @typedef {import("./fold.js").View} View */

/**
 * The discs as they lie at the end.
 * @param {View} view
 */
export const squares = ({ cells }) =>
  rowsOf(cells.map((seat) => (seat === null ? NOTHING : squareOf(seat))), COLUMNS).map((row) => ({ squares: row }));

/** @param {View} view */
export const board = ({ cells }) =>
  ({ columns: COLUMNS, tiles: cells.map((seat) => (seat === null ? { ground: "#d9d2ec" } : { seat })) });
