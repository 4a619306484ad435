// @ts-check

/**
 * How large the cards of a hand are, so that it takes as much of the board as it may.
 */

/** The least and the greatest width of a card, in px: the least can be pressed and read. */
const LEAST = 32, MOST = 104;
/** From this width on, a single row is better than larger cards. */
const FINE = 64;
/** A card's height, and how much of a card shows under the next one of its rank, in widths. */
const HIGH = 1.42, SHOWN = 0.4;
/** Between ranks, in px. */
const GAP = 6;

/**
 * @param {number[]} groups cards of each rank
 * @param {number} width of the space
 * @param {number} card its width
 */
function rowsOf(groups, width, card) {
  let rows = 1, left = width;
  for (const count of groups) {
    const needed = card * (1 + (count - 1) * SHOWN) + GAP;
    if (needed > left + GAP && left < width) [rows, left] = [rows + 1, width];
    left -= needed;
  }
  return rows;
}

/**
 * The greatest width of cards with which all groups fit, if possible in one row; the least one if none does.
 * @param {number[]} groups cards of each rank
 * @param {{width: number, height: number}} space
 */
export function cardWidth(groups, { width, height }) {
  let most = LEAST;
  for (let card = MOST; card > LEAST; card -= 2) {
    const rows = rowsOf(groups, width, card), fits = rows * (card * HIGH + GAP) <= height;
    if (fits && rows === 1 && card >= FINE) return card;
    if (fits) most = Math.max(most, card);
  }
  return most;
}
