// @ts-check
import { fold, playing, start } from "./fold.js";

/**
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../../net/messages.js").EventBidsShown} Shown
 */

const isSingle = (/** @type {number} */ card, /** @type {Shown["bids"]} */ bids) =>
  bids.filter((bid) => bid.card === card).length === 1;

/**
 * The seat with the highest bid that no other has made.
 * @param {Shown["bids"]} bids
 */
const winnerOf = (bids) => bids.filter(({ card }) => isSingle(card, bids)).sort((a, b) => b.card - a.card)[0]?.seat;

const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Shuffles the prizes again and opens the bids: each prize must be the next one, each bid shown the one that was
 * sealed, or the lowest card of a player whose time was up, and each winner the one by these bids.
 * @type {import("../game.js").DealCheckMaker}
 */
export function dealCheck(started) {
  const events = /** @type {RecordedEvent[]} */ ([]);
  return {
    step: "bids",
    see: (event) => void events.push(event),
    compare(words, sealed) {
      let view = start(started), bids = /** @type {Record<number, Shown["bids"][0]>} */ ({}), count = 0;
      const order = words.shuffled(view.prizes);
      /** Whether the game could come to `event`. */
      const fits = (/** @type {RecordedEvent} */ event) => {
        switch (event.type) {
          case "prize-shown": return view.prize === undefined && event.prize === order[view.rounds.length];
          case "bid-sealed": {
            const { seat, v } = event, card = sealed[v]?.card;
            if (!view.awaited.includes(seat) || !view.hands[seat].includes(card)) return false;
            bids[seat] = { seat, card };
            return true;
          }
          case "turn-expired": {
            const { seat } = event;
            if (!view.awaited.includes(seat) || bids[seat]) return false;
            bids[seat] = { seat, card: Math.min(...view.hands[seat]), late: true };
            return true;
          }
          case "bids-shown": {
            const due = playing(view).map((seat) => bids[seat]);
            const winner = due.every(Boolean) ? winnerOf(due) : undefined;
            const shown = event.bids.map(({ seat, card, late }) => ({ seat, card, ...(late && { late }) }));
            bids = {};
            count += due.length;
            return same(shown, due) && event.winner === winner && event.stake === view.stake;
          }
          default: return true;
        }
      };
      for (const event of events) {
        if (!fits(event)) return { holds: false, version: event.v };
        view = fold(view, event);
      }
      return { holds: true, values: { count } };
    },
  };
}
