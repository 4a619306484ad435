// @ts-check
import { bookSize, fold, rankOf, start } from "./fold.js";
import { deal, follow } from "./hands.js";

/**
 * @typedef {(import("./fold.js").GoFishEvent | {type: "turn", seat: number}) & {v: number}} Played
 * @typedef {import("./fold.js").View} View
 */

/** What a game consists of. With a turn everything due before it has happened. */
const PLAYED = ["cards-asked", "card-drawn", "book", "turn", "turn-expired", "resigned", "player-left"];

/** @param {string[]} cards @param {string} rank */
const held = (cards, rank) => cards.filter((card) => rankOf(card) === rank).length;

/**
 * Whether the cards allow an event, and show what it says.
 * @param {import("./hands.js").Table} table
 * @param {Played} event
 * @param {View} view before it
 * @param {View} after it
 */
function fits({ pond, hands }, event, view, after) {
  const own = hands[event.seat];
  switch (event.type) {
    case "cards-asked": return held(own, event.rank) > 0 && held(hands[event.of], event.rank) === event.count;
    case "card-drawn": {
      if (pond.length === 0) return false;
      // A card is shown if it was fished and has the rank asked for.
      const isFished = after.last !== view.last, drawn = rankOf(pond[0]);
      return event.rank === (isFished && drawn === view.last?.rank ? drawn : undefined);
    }
    case "book": return held(own, event.rank) >= bookSize(view);
    default: return true;
  }
}

/**
 * Deals the cards again and follows the game: each number of cards given, each rank shown and each book must be what
 * the hands say, and no book stays in a hand.
 * @type {import("../game.js").DealCheckMaker}
 */
export function dealCheck(started) {
  const events = /** @type {Played[]} */ ([]);
  return {
    step: "hands",
    see(event) {
      if (PLAYED.includes(event.type)) events.push(/** @type {Played} */ (/** @type {unknown} */ (event)));
    },
    compare(words) {
      let view = start(started), table = deal(view.seats, words), count = 0;
      for (const event of events) {
        if (event.type === "turn") {
          const isLeft = Object.values(table.hands).some((cards) =>
            cards.some((card) => held(cards, rankOf(card)) >= bookSize(view)));
          if (isLeft) return { holds: false, version: event.v };
          view = { ...view, awaited: [event.seat] };
          continue;
        }
        const after = fold(view, /** @type {any} */ (event));
        if (!fits(table, event, view, after)) return { holds: false, version: event.v };
        if (after !== view) table = follow(table, event, view, after);
        view = after;
        if (["cards-asked", "card-drawn", "book"].includes(event.type)) count += 1;
      }
      return { holds: true, values: { count } };
    },
  };
}
