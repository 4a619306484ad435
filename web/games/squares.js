// @ts-check

/** A square for each seat, near its colour; where there is nothing, and where nothing came of it, one of its own. */
const SEATS = ["🟪", "🟥", "🟩", "🟧", "🟦", "🟫", "🟨", "⬛"];
export const NOTHING = "⬜";

/** @param {number} seat */
export const squareOf = (seat) => SEATS[seat % SEATS.length];

/**
 * `squares` in rows of so many.
 * @param {string[]} squares
 * @param {number} length
 * @returns {string[]}
 */
export const rowsOf = (squares, length) =>
  Array.from({ length: Math.ceil(squares.length / length) }, (_, row) =>
    squares.slice(row * length, (row + 1) * length).join(""));
