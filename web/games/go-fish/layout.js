// @ts-check
import { rankOf, RANKS } from "./fold.js";

/**
 * How the board uses its space.
 * @typedef {{width: number, height: number}} Space in px
 */

/** The least and the greatest width of a card, in px: the least can be pressed and read. */
const LEAST = 32, MOST = 104;
/** From this width on, a single row is better than larger cards. */
const FINE = 64;
/** A card's height, and how much of a card shows under the next one of its rank, in widths. */
const HIGH = 1.42, SHOWN = 0.4;
/** Between ranks, in px. */
const GAP = 6;
/** The least height of the pond, if there is enough space and if there is little; and of the gaps in all. */
const POND = 76, LOW_POND = 44, GAPS = 0.09;
/** A board lower than this, in px, shows little but cards. */
const LOW = 290;
/** The greatest part of the board's height that the own hand takes. */
const HAND = 0.42;

/**
 * The other seats in the order of turns, after the viewer's.
 * @param {number[]} seats
 * @param {number | undefined} seat
 */
export function turned(seats, seat) {
  const at = seat === undefined ? -1 : seats.indexOf(seat);
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}

/**
 * The cards of each rank, with its target.
 * @param {string[]} cards
 * @returns {[number, string[]][]}
 */
export const groupsOf = (cards) => RANKS.flatMap((rank, target) => {
  const group = cards.filter((card) => rankOf(card) === rank);
  return group.length > 0 ? [[target, group]] : [];
});

/** @param {Space} space */
export const isLow = ({ height }) => height < LOW;

/**
 * In how many columns the other players sit: in one row, unless there is space for more, or open hands need it.
 * @param {number} count
 * @param {{isWatched: boolean, isOpen: boolean, width: number}} how `isWatched` by someone who does not play
 */
export function columnsFor(count, { isWatched, isOpen, width }) {
  if (isOpen) return count < 3 ? 1 : width < 900 ? 2 : 3;
  return isWatched && count > 3 ? Math.ceil(count / 2) : count;
}

/**
 * The space for the own hand.
 * @param {Space} space
 * @param {number} width of a row
 * @param {number} taken the height of what is around
 * @returns {Space}
 */
export function spaceForHand(space, width, taken) {
  const left = space.height * (1 - GAPS) - taken - (isLow(space) ? LOW_POND : POND);
  return { width, height: Math.min(left, space.height * HAND) };
}

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
 * @param {Space} space
 */
export function cardWidth(groups, { width, height }) {
  let most = LEAST;
  for (let card = MOST; card > LEAST; card -= 2) {
    const rows = rowsOf(groups, width, card), isEnough = rows * (card * HIGH + GAP) <= height;
    if (isEnough && rows === 1 && card >= FINE) return card;
    if (isEnough) most = Math.max(most, card);
  }
  return most;
}
