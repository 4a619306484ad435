// @ts-check

/** A sign for each seat, shaped like its mark: no two differ by their colour alone. */
const SEATS = ["🟣", "🔶", "🔺", "🟧", "➕", "⭐", "💚", "⏳"];
/** Where there is nothing, and for an attempt without a pair: smaller than the square of a seat. */
export const NOTHING = "◽";
/** Of games whose pieces have two colours, not one for each seat. */
export const DISCS = { black: "⚫", white: "⚪" };

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
