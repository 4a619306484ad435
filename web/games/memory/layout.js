// @ts-check

/** @typedef {{width: number, height: number}} Space in px */

/** From `board.css`: the most of the felt that a card may take, its greatest width and height, and its least side. */
const MOST = 0.3, WIDEST = 0.9, HIGHEST = 1.34, LEAST = 24;

/**
 * Whether the board lies on its side, its rows shown as columns. It does if only that avoids scrolling, or limits it to
 * downwards, and otherwise if that makes its cards larger. If both are alike it stands as the hub has it.
 * @param {{columns: number, rows: number}} board
 * @param {Space} space
 */
export function liesOnItsSide({ columns, rows }, space) {
  const standing = laid(columns, rows, space), lying = laid(rows, columns, space);
  return lying.ease === standing.ease ? lying.area > standing.area : lying.ease > standing.ease;
}

/**
 * How large a card gets on so many columns and rows, and how well all are visible with no card too small for a finger.
 * @param {number} columns
 * @param {number} rows
 * @param {Space} space
 */
function laid(columns, rows, { width, height }) {
  const gap = Math.max(2, Math.min(0.015 * Math.min(width, height), 0.07 * width / columns, 0.07 * height / rows, 16));
  const freeWidth = (width - (columns - 1) * gap) / columns, freeHeight = (height - (rows - 1) * gap) / rows;
  const cardWidth = Math.max(0, Math.min(freeWidth, freeHeight * WIDEST, MOST * Math.min(width, height)));
  return {
    area: cardWidth * Math.min(freeHeight, cardWidth * HIGHEST),
    ease: (freeWidth >= LEAST ? 2 : 0) + (freeHeight >= LEAST ? 1 : 0),
  };
}
