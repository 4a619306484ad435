// @ts-check
import { rowsOf } from "../squares.js";

/** @typedef {import("./fold.js").View} View */

const COLUMNS = 8;

/**
 * The discs as they lie at the end.
 * @param {View} view
 */
export const squares = ({ cells, black }) =>
  rowsOf(cells.map((seat) => (seat === null ? "🟩" : seat === black ? "⚫" : "⚪")), COLUMNS)
    .map((row) => ({ squares: row }));

/** @param {View} view */
export const board = ({ cells, black }) => ({
  columns: COLUMNS,
  tiles: cells.map((seat) => ({
    ground: "#1d7a48", ...(seat !== null && { disc: seat === black ? "#16131d" : "#ffffff" }),
  })),
});
