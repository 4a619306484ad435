// @ts-check
import { course, courseAfter, due, held } from "./due.js";
import { askable, fold, start } from "./fold.js";
import { deal, follow, nextView } from "./hands.js";

/**
 * @typedef {(import("./fold.js").GoFishEvent | {type: "turn", seat: number}
 *   | {type: "game-ended", seat: number, reason: string}) & {v: number}} Played
 * @typedef {import("./fold.js").View} View
 */

/** What a game consists of. */
const PLAYED = ["cards-asked", "card-drawn", "book", "turn", "turn-expired", "resigned", "player-left", "game-ended"];

/**
 * Whether the cards and the rules allow an event.
 * @param {import("./hands.js").Table} table
 * @param {Played} event
 * @param {View} view before it
 * @param {import("./due.js").Due | null} next the event that is due, if any
 */
function fits({ pond, hands }, event, view, next) {
  const isAsked = next === null && view.awaited.includes(event.seat);
  switch (event.type) {
    case "cards-asked": {
      const { seat, of, rank, count } = event;
      return isAsked && askable(view, seat).includes(of) && held(hands[seat], rank) > 0
        && held(hands[of], rank) === count;
    }
    case "turn-expired": return isAsked;
    case "resigned": return next === null && view.awaited.length > 0 && isIn(view, event.seat);
    case "player-left": return next === null;
    // All books are laid down.
    case "game-ended":
      return event.reason !== "finished" || [pond, ...Object.values(hands)].every((cards) => cards.length === 0);
    default: {
      const rank = event.type === "turn" ? undefined : event.rank;
      return event.type === next?.type && event.seat === next.seat && rank === next.rank;
    }
  }
}

/** @param {View} view @param {number} seat */
const isIn = ({ seats, out }, seat) => seats.includes(seat) && !out.some((one) => one.seat === seat);

/**
 * Deals the cards again and follows the game: each question and its answer, each draw with the rank shown, each book
 * and each turn must be what the hands and the rules say.
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
      let now = course(view.seats, started.first);
      for (const event of events) {
        if (!fits(table, event, view, due(view, table, now))) return { holds: false, version: event.v };
        const after = nextView(view, /** @type {any} */ (event));
        if (after !== view && event.type !== "turn") table = follow(table, /** @type {any} */ (event), view, after);
        now = courseAfter(now, event, view, after);
        view = after;
        if (["cards-asked", "card-drawn", "book"].includes(event.type)) count += 1;
      }
      return { holds: true, values: { count } };
    },
  };
}
