// @ts-check
import { DISCS, rowsOf } from "../squares.js";

/** @typedef {import("./fold.js").View} View */

const COLUMNS = 8;

/**
 * The discs as they lie at the end.
 * @param {View} view
 */
export const squares = ({ cells, black }) =>
  rowsOf(cells.map((seat) => (seat === null ? "🟩" : DISCS[seat === black ? "black" : "white"])), COLUMNS)
    .map((row) => ({ squares: row }));

/** @param {View} view */
export const board = ({ cells, black }) => ({
  columns: COLUMNS,
  tiles: cells.map((seat) => ({
    ground: "#1d7a48", ...(seat !== null && { disc: seat === black ? "black" : "white" }),
  })),
});
