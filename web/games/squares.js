// @ts-check

/** A character for each seat, shaped like its mark: no two differ only by colour. */
const SEATS = ["🟣", "🔶", "🔺", "🟧", "➕", "⭐", "💚", "⏳"];
/** Nothing, or an attempt without a pair: smaller than the square of a seat. */
export const NOTHING = "◽";
/** For games whose pieces have two colours, not one for each seat. */
export const DISCS = { black: "⚫", white: "⚪" };

/** @param {number} seat */
export const squareOf = (seat) => SEATS[seat % SEATS.length];

/**
 * `squares` in rows of `length`.
 * @param {string[]} squares
 * @param {number} length
 * @returns {string[]}
 */
export const rowsOf = (squares, length) =>
  Array.from({ length: Math.ceil(squares.length / length) }, (_, row) =>
    squares.slice(row * length, (row + 1) * length).join(""));
