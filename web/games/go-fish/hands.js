// @ts-check
import { bookSize, dealtTo, fold, rankOf, RANKS, start } from "./fold.js";

/**
 * How the cards lie, by the words of a game.
 * @typedef {import("../../cryptography/random-words.js").Words} Words
 * @typedef {import("../../net/messages.js").EventGameStarted} EventGameStarted
 * @typedef {import("./fold.js").GoFishEvent} GoFishEvent
 * @typedef {{pond: string[], hands: Record<number, string[]>}} Table the pond from its top, hands in ascending order
 */

const SUITS = ["♠", "♥", "♦", "♣"];
const CARDS = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));

/** @param {string[]} cards */
const sorted = (cards) => CARDS.filter((card) => cards.includes(card));

/**
 * The cards as they are dealt.
 * @param {number[]} seats in the order of turns
 * @param {Words} words
 * @returns {Table}
 */
export function deal(seats, words) {
  const pond = words.shuffled(CARDS), count = dealtTo(seats.length);
  return { hands: Object.fromEntries(seats.map((seat) => [seat, sorted(pond.splice(0, count))])), pond };
}

/**
 * The cards after an event; the given table does not change.
 * @param {Table} table
 * @param {GoFishEvent} event
 * @param {import("./fold.js").View} view before it
 * @param {import("./fold.js").View} after it
 * @returns {Table}
 */
export function follow({ pond, hands }, event, view, after) {
  const { seat } = event, own = hands[seat];
  switch (event.type) {
    case "cards-asked": {
      const given = hands[event.of].filter((card) => rankOf(card) === event.rank);
      const left = hands[event.of].filter((card) => !given.includes(card));
      return { pond, hands: { ...hands, [event.of]: left, [seat]: sorted([...own, ...given]) } };
    }
    case "card-drawn": {
      const [drawn, ...rest] = pond;
      return { pond: rest, hands: { ...hands, [seat]: sorted([...own, drawn]) } };
    }
    case "book": {
      const laid = own.filter((card) => rankOf(card) === event.rank).slice(0, bookSize(view));
      return { pond, hands: { ...hands, [seat]: own.filter((card) => !laid.includes(card)) } };
    }
    default: {
      const isOut = after.out.length > view.out.length;
      return isOut ? { pond: [...pond, ...own], hands: { ...hands, [seat]: [] } } : { pond, hands };
    }
  }
}

/** @type {import("../game.js").HandsOf} */
export function handsOf(started, events, words) {
  let view = start(started), table = deal(view.seats, words);
  const seen = () => Object.fromEntries(Object.entries(table.hands).map(([seat, cards]) => [seat, { cards }]));
  return [seen(), ...events.map((event) => {
    const after = nextView(view, event);
    if (after !== view) table = follow(table, /** @type {GoFishEvent} */ (/** @type {unknown} */ (event)), view, after);
    view = after;
    return seen();
  })];
}

/**
 * The view after an event of the game, or a turn.
 * @param {import("./fold.js").View} view
 * @param {import("./fold.js").RecordedEvent} event
 */
export const nextView = (view, event) =>
  (event.type === "turn" ? { ...view, awaited: [event.seat] } : fold(view, event));
