// @ts-check

/** How large the cards are, so that a board is as large as its space. All is in px. */

/** A card's height in widths. */
const HIGH = 1.34;
/** Widths of a card of the own hand: that can be pressed, that is large enough, and the greatest. */
const LEAST = 30, FINE = 56, MOST = 96;
/** Fewer rows of smaller cards are better, down to this part of their width. */
const SMALLER = 0.85;
/** Between the cards of the hand, and around the board. */
const GAP = 5, EDGE = 10;
/** The part of the height for the hand, and for the bids: with a hand, without one, and in a picture. */
const HAND = 0.34, BID = 0.18, BID_ALONE = 0.26, BID_PICTURED = 0.4;
/** The greatest width of a board, and the least and greatest widths of a prize and a bid. */
const WIDEST = 1_100, PRIZES = [36, 120], BIDS = [26, 110];
/** The width of a small value, how many of them stand in a row, and the sizes of their words. */
const VALUE = 16, VALUES = [4, 7], VALUE_SIZES = [10.5, 16];
/** Words and gaps in parts of the height, and in px; the height of a line in its words, and what else stands around. */
const WORDS = 0.03, SIZES = [12, 18], BETWEEN = 0.015, BETWEENS = [4, 14], LINE = 1.25, AROUND = 14;

/**
 * @param {number[]} limits
 * @param {number} value
 */
const within = ([least, most], value) => Math.min(most, Math.max(least, value));

/** Without a hand and lower than this, a board is a picture of its cards. */
const PICTURE = 260;

/**
 * @param {{height: number}} space
 * @param {boolean} hasHand
 */
export const isPicture = ({ height }, hasHand) => !hasHand && height < PICTURE;

/**
 * The width of the hand's cards, how many stand in a row, the widths of a prize and a bid, how many values of cards
 * stand in a row below a bid, and how large: as style properties.
 * @param {{width: number, height: number}} space
 * @param {number} cards
 * @param {number} players
 * @param {boolean} hasHand
 */
export function layoutOf({ width, height }, cards, players, hasHand) {
  const wide = Math.min(width, WIDEST) - 2 * EDGE, column = wide / players - EDGE;
  const fits = (/** @type {number} */ rows) => {
    const row = Math.ceil(cards / rows), high = (height * HAND) / rows - GAP;
    return { rows, row, card: Math.floor(Math.min(MOST, (wide - (row - 1) * GAP) / row, high / HIGH)) };
  };
  const all = [1, 2, 3].map(fits), best = Math.max(LEAST, ...all.map(({ card }) => card));
  const { rows, row, ...fit } = all.find(({ card }) => card >= Math.min(SMALLER * best, FINE)) ?? all[1];
  const card = Math.max(LEAST, fit.card), valueRows = Math.ceil(cards / Math.floor(within(VALUES, column / VALUE)));
  const values = Math.ceil(cards / valueRows);
  const words = within(SIZES, height * WORDS), value = within(VALUE_SIZES, Math.min(words, (column / values) * 0.72));
  const part = hasHand ? BID : isPicture({ height }, hasHand) ? BID_PICTURED : BID_ALONE;
  const wanted = Math.min(column * 0.72, (height * part) / HIGH);
  // The bids and the prize have what the rest leaves: the hand, two lines of words, values, and gaps between them.
  const hand = hasHand ? rows * (card * HIGH + GAP) : 0, lines = 2 * words + valueRows * value;
  const rest = height - hand - lines * LINE - 6 * within(BETWEENS, height * BETWEEN) - AROUND;
  const bid = within(BIDS, Math.min(wanted, rest / HIGH - PRIZES[0]));
  const lengths = { card, bid, value, prize: within(PRIZES, rest / HIGH - bid) };
  return { row, values, ...Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, `${length}px`])) };
}
