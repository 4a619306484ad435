// @ts-check
import { fold, start } from "./fold.js";

/** @typedef {import("../../net/messages.js").GoofspielHand} Hand */

/**
 * Everyone's cards, and the bids that lie sealed: what was sealed says which.
 * @type {import("../game.js").HandsOf}
 */
export function handsOf(started, events, _, sealed) {
  let view = start(started);
  /** The last bid of each seat, which lies there while the seat is among the bidders. */
  const bids = /** @type {Record<number, number>} */ ({});
  /** @type {(seat: number) => Hand} */
  const handOf = (seat) => {
    const bid = view.bidders.includes(seat) ? bids[seat] : undefined;
    return { cards: view.hands[seat].filter((card) => card !== bid), ...(bid !== undefined && { bid }) };
  };
  const all = () => Object.fromEntries(view.seats.map((seat) => [seat, handOf(seat)]));
  return [all(), ...events.map((event) => {
    if (event.type === "bid-sealed") bids[event.seat] = sealed[event.v]?.card;
    view = fold(view, event);
    return all();
  })];
}
