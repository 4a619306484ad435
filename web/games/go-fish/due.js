// @ts-check
import { bookSize, rankOf, RANKS } from "./fold.js";

/**
 * What decides the next event besides the view and the cards: `mover` is to ask or has asked last, `origin` is where
 * the order of turns begins for books and for cards of empty hands, `isFishing` after a question in vain until its
 * card is drawn, `isAgain` if `mover` may have another turn.
 * @typedef {{mover: number, origin: number, isFishing: boolean, isAgain: boolean}} Course
 * @typedef {import("./fold.js").View} View
 * @typedef {import("./hands.js").Table} Table
 * @typedef {{type: string, seat: number, rank?: string}} Due
 */

/** @param {string[]} cards @param {string} rank */
export const held = (cards, rank) => cards.filter((card) => rankOf(card) === rank).length;

/**
 * The seats of those who are not out, in the order of turns; `seat` itself comes last.
 * @param {View} view
 * @param {number} seat
 */
function after({ seats, out }, seat) {
  const next = seats.indexOf(seat) + 1;
  return [...seats.slice(next), ...seats.slice(0, next)].filter((one) => !out.some((gone) => gone.seat === one));
}

/**
 * @param {number[]} seats in the order of turns
 * @param {number} first
 * @returns {Course}
 */
export const course = ([origin], first) => ({ mover: first, origin, isFishing: false, isAgain: true });

/**
 * The event that must come next; null if the game waits for a question, or is over.
 * @param {View} view
 * @param {Table} table
 * @param {Course} course
 * @returns {Due | null}
 */
export function due(view, { pond, hands }, { mover, origin, isFishing, isAgain }) {
  const next = after(view, mover), order = after(view, origin);
  if (next.length < 2) return null;
  if (isFishing) {
    const drawn = rankOf(pond[0]);
    return { type: "card-drawn", seat: mover, ...(drawn === view.last?.rank && { rank: drawn }) };
  }
  if (order.at(-1) === origin) order.unshift(origin);
  for (const seat of order) {
    const rank = RANKS.find((one) => held(hands[seat], one) >= bookSize(view));
    if (rank !== undefined) return { type: "book", seat, rank };
  }
  const hasCards = (/** @type {number} */ seat) => hands[seat].length > 0;
  const empty = pond.length > 0 ? order.find((seat) => !hasCards(seat)) : undefined;
  if (empty !== undefined) return { type: "card-drawn", seat: empty };
  if (view.awaited.length > 0) return null;
  const seat = isAgain && next.includes(mover) && hasCards(mover) ? mover : next.find(hasCards);
  return seat === undefined ? null : { type: "turn", seat };
}

/**
 * The course after an event.
 * @param {Course} course
 * @param {Due & {count?: number}} event
 * @param {View} view before it
 * @param {View} next after it
 * @returns {Course}
 */
export function courseAfter(course, { type, seat, rank, count = 0 }, view, next) {
  switch (type) {
    case "cards-asked": {
      const isFishing = count === 0 && view.pond > 0;
      return { mover: seat, origin: seat, isFishing, isAgain: count > 0 };
    }
    case "card-drawn": return course.isFishing ? { ...course, isFishing: false, isAgain: rank !== undefined } : course;
    case "turn": return { ...course, mover: seat };
    case "turn-expired": return { ...course, origin: seat, isAgain: false };
    case "resigned": case "player-left": {
      if (next.out.length === view.out.length) return course;
      return { ...course, origin: seat, isAgain: course.isAgain && seat !== course.mover };
    }
    default: return course;
  }
}
