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
/** The height of a row of values in their words. */
const VALUE_LINE = 1.25;
/**
 * The same where there is little height: the viewer's own cards are in their hand only, and the other players have the
 * width of their values. `OWN` is the width of the viewer's column in that of another player.
 */
const TIGHT = { perRow: 5, size: 9, line: 1.1 }, OWN = 0.58;
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
 * stand in a row below a bid, how large and how high, and the width of the viewer's column: as style properties.
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
  const card = Math.max(LEAST, fit.card), perRow = Math.floor(within(VALUES, column / VALUE));
  const words = within(SIZES, height * WORDS), hand = hasHand ? rows * (card * HIGH + GAP) : 0;
  // The bids and the prize have what the rest leaves: the hand, two lines of words, values, and gaps between them.
  const restWith = (/** @type {number} */ values) =>
    height - hand - 2 * words * LINE - values - 6 * within(BETWEENS, height * BETWEEN) - AROUND;
  const valueRows = Math.ceil(cards / perRow), inRow = Math.ceil(cards / valueRows);
  const size = within(VALUE_SIZES, Math.min(words, (column / inRow) * 0.72));
  const loose = { values: inRow, size, line: VALUE_LINE, own: 1, rest: restWith(valueRows * size * VALUE_LINE) };
  const tight = {
    values: TIGHT.perRow, size: TIGHT.size, line: TIGHT.line, own: OWN,
    rest: restWith(Math.ceil(cards / TIGHT.perRow) * TIGHT.size * TIGHT.line),
  };
  const isTight = hasHand && perRow < TIGHT.perRow && loose.rest < (BIDS[0] + PRIZES[0]) * HIGH;
  const { values, line, own, rest, ...value } = isTight ? tight : loose;
  const part = hasHand ? BID : isPicture({ height }, hasHand) ? BID_PICTURED : BID_ALONE;
  const wanted = Math.min(column * 0.72, (height * part) / HIGH);
  const bid = within(BIDS, Math.min(wanted, rest / HIGH - PRIZES[0]));
  const lengths = { card, bid, value: value.size, prize: within(PRIZES, rest / HIGH - bid) };
  const inPixels = Object.entries(lengths).map(([name, length]) => [name, `${length}px`]);
  return { row, values, line, own, ...Object.fromEntries(inPixels) };
}
