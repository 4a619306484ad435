// @ts-check

/**
 * A game of Goofspiel as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same
 * version.
 * @typedef {import("../../net/messages.js").GoofspielView} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../../net/messages.js").EventGameStarted
 *   & {options: import("../../net/messages.js").GoofspielOptions}} Started
 */

/** How many bids in a row a player may miss; after as many they are out. */
const MOST_LATE = 3;

/**
 * Why the card of a target cannot be bid.
 * @param {View} view
 * @param {number} target
 * @param {import("../game.js").Own} own
 */
export const whyNot = ({ hands }, target, { seat = -1 } = {}) =>
  (hands[seat]?.includes(target + 1) ?? true ? "" : "error.card-is-used");

/**
 * The view right after `game-started`.
 * @param {Started} started
 * @returns {View}
 */
export function start({ options, seats }) {
  const numbers = seats.map(({ seat }) => seat), cards = options.cards ?? 13;
  const all = Array.from({ length: cards }, (_, index) => index + 1);
  const each = (/** @type {any} */ value) => Object.fromEntries(numbers.map((seat) => [seat, value]));
  return {
    options, seats: numbers, cards, stake: 0, prizes: all, hands: each(all), bidders: [], rounds: [], awaited: [],
    scores: each(0), late: {}, out: [],
  };
}

/**
 * The view after `event`; the given one does not change. Events of others than the game leave it as it is.
 * @param {View} view
 * @param {RecordedEvent} event
 * @returns {View}
 */
export function fold(view, event) {
  const step = /** @type {Record<string, (view: View, event: RecordedEvent) => View>} */ (steps)[event.type];
  return step ? step(view, event) : view;
}

/**
 * The players who still play, in the order of turns.
 * @param {View} view
 */
export const playing = ({ seats, out }) => seats.filter((seat) => !out.some((one) => one.seat === seat));

/**
 * The game waits for everyone who may still bid for the prize that is turned up.
 * @param {View} view
 * @returns {View}
 */
function waiting(view) {
  const players = playing(view), isOn = view.prize !== undefined && players.length > 1;
  return { ...view, awaited: isOn ? players.filter((seat) => !view.bidders.includes(seat)) : [] };
}

/**
 * @param {Record<string, number>} counts by seat
 * @param {number} seat
 */
function without(counts, seat) {
  const { [seat]: gone, ...rest } = counts;
  return rest;
}

/**
 * The view after `seat` has gone out of the game, which takes back its bid.
 * @param {View} view
 * @param {number} seat
 * @param {"time" | "resigned" | "left"} reason
 * @returns {View}
 */
function goOut(view, seat, reason) {
  if (view.awaited.length === 0 || view.out.some((one) => one.seat === seat)) return view;
  const after = waiting({
    ...view, out: [...view.out, { seat, reason }], bidders: view.bidders.filter((one) => one !== seat),
    late: without(view.late, seat),
  });
  const { deadline, ...over } = after;
  return playing(after).length > 1 ? after : over;
}

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "prize-shown": ({ deadline: before, ...view }, { prize, deadline }) => waiting({
    ...view, prize, stake: view.stake + prize, prizes: view.prizes.filter((one) => one !== prize),
    ...(deadline !== undefined && { deadline }),
  }),
  "bid-sealed": (view, { seat }) => waiting({
    ...view, bidders: view.seats.filter((one) => one === seat || view.bidders.includes(one)),
    late: without(view.late, seat),
  }),
  "bids-shown"({ prize = 0, deadline, ...view }, { bids, winner, stake }) {
    const cards = Object.fromEntries(bids.map(({ seat, card }) => [seat, card])), isWon = winner !== undefined;
    const left = view.seats.map((seat) => [seat, view.hands[seat].filter((card) => card !== cards[seat])]);
    return waiting({
      ...view, bidders: [], stake: isWon ? 0 : stake, hands: Object.fromEntries(left),
      rounds: [...view.rounds, { prize, stake, bids: cards, ...(isWon && { winner }) }],
      scores: isWon ? { ...view.scores, [winner]: view.scores[winner] + stake } : view.scores,
    });
  },
  "turn-expired"(view, { seat }) {
    const count = (view.late[seat] ?? 0) + 1;
    return count < MOST_LATE ? { ...view, late: { ...view.late, [seat]: count } } : goOut(view, seat, "time");
  },
  resigned: (view, { seat }) => goOut(view, seat, "resigned"),
  "player-left": (view, { seat }) => goOut(view, seat, "left"),
};
