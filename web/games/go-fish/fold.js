// @ts-check

/**
 * A game of Go Fish as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same version.
 * @typedef {{seat: number, of: number, rank: string, count: number, drew?: true, lucky?: true}} Question `drew`: a card
 *   was drawn because of it; `lucky`: one of the rank asked for
 * @typedef {import("../game.js").AnyView & {pond: number, cards: Record<string, number>,
 *   books: {seat: number, rank: string}[], scores: Record<string, number>, last?: Question,
 *   late: Record<string, number>, out: {seat: number, reason: string}[]}} View `late`: turns in a row that ran out
 * @typedef {import("../game.js").Own} Own
 *
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {{type: "cards-asked", seat: number, of: number, rank: string, count: number}
 *   | {type: "card-drawn", seat: number, rank?: string} | {type: "book", seat: number, rank: string}
 *   | {type: "turn-expired", seat: number} | {type: "resigned", seat: number}
 *   | {type: "player-left", seat: number}} GoFishEvent
 */

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
/** Ranks are the first targets of a board, the players by their seats the next. */
export const FIRST_PLAYER = RANKS.length;
/** Turns in a row that may run out; after as many the player is out. */
const MOST_LATE = 3;

/** How many cards each of so many players gets. */
export const dealtTo = (/** @type {number} */ players) => (players < 4 ? 7 : 5);

/**
 * How many cards a book has.
 * @param {{options?: import("../../net/messages.js").GoFishOptions}} view
 */
export const bookSize = ({ options }) => (options?.books === "pairs" ? 2 : 4);

/**
 * The rank of a card in a hand: of `10♦` it is `10`.
 * @param {string} card
 */
export const rankOf = (card) => card.slice(0, -1);

/**
 * The players whom `seat` may ask.
 * @param {View} view
 * @param {number | undefined} seat
 */
export const askable = ({ seats, cards, out }, seat) =>
  seats.filter((other) => other !== seat && cards[other] > 0 && !out.some((one) => one.seat === other));

/**
 * Why the player to ask cannot choose this rank, or ask this player.
 * @param {View} view
 * @param {number} target
 * @param {Own} own
 */
export function whyNot(view, target, { seat, hand, chosen } = {}) {
  const asked = target - FIRST_PLAYER;
  if (asked < 0) {
    const held = /** @type {string[]} */ (hand?.cards ?? []);
    return held.some((card) => rankOf(card) === RANKS[target]) ? "" : "error.rank-not-held";
  }
  if (asked === seat) return "go-fish.own-hand";
  if (view.out.some((one) => one.seat === asked) || !view.seats.includes(asked)) return "error.no-such-player";
  if (!view.cards[asked]) return "error.has-no-cards";
  if (askable(view, seat).length === 1) return "go-fish.rank-only";
  return chosen === undefined ? "go-fish.rank-first" : "";
}

/**
 * The question, once its rank and its player are known. With only one player to ask, the rank is enough.
 * @param {number} target
 * @param {View} view
 * @param {Own} own
 */
export function move(target, view, { seat, chosen }) {
  const others = askable(view, seat);
  if (target >= FIRST_PLAYER) return { type: "ask", seat: target - FIRST_PLAYER, rank: RANKS[chosen ?? 0] };
  return others.length === 1 ? { type: "ask", seat: others[0], rank: RANKS[target] } : null;
}

/**
 * The view right after `game-started`.
 * @param {import("../../net/messages.js").EventGameStarted} started
 * @returns {View}
 */
export function start({ options, seats }) {
  const numbers = seats.map(({ seat }) => seat), dealt = dealtTo(numbers.length);
  const each = (/** @type {number} */ count) => Object.fromEntries(numbers.map((seat) => [seat, count]));
  return {
    options, seats: numbers, pond: 52 - dealt * numbers.length, cards: each(dealt), books: [], scores: each(0),
    awaited: [], late: {}, out: [],
  };
}

/**
 * The view after `event`; the given one does not change. Events of others than the game leave it as it is.
 * @param {View} view
 * @param {RecordedEvent} event
 * @returns {View}
 */
export function fold(view, event) {
  const step = /** @type {Record<string, (view: View, event: any) => View>} */ (steps)[event.type];
  return step ? step(view, event) : view;
}

/**
 * Without the time of the turn, which is over.
 * @param {View} view
 * @returns {View}
 */
const turnOver = ({ deadline, ...view }) => ({ ...view, awaited: [] });

/**
 * @param {Record<string, number>} counts by seat
 * @param {number} seat
 */
function without(counts, seat) {
  const { [seat]: gone, ...rest } = counts;
  return rest;
}

/**
 * The view after `seat` has gone out of the game: the cards go under the pond.
 * @param {View} view
 * @param {number} seat
 * @param {string} reason
 * @returns {View}
 */
function goOut(view, seat, reason) {
  if (view.awaited.length === 0 || view.out.some((one) => one.seat === seat)) return view;
  const out = [...view.out, { seat, reason }];
  const after = {
    ...view, out, pond: view.pond + view.cards[seat], cards: { ...view.cards, [seat]: 0 },
    late: without(view.late, seat),
  };
  return view.awaited.includes(seat) || out.length >= view.seats.length - 1 ? turnOver(after) : after;
}

/**
 * What each event of the game does to a view.
 * @type {{[Type in GoFishEvent["type"]]: (view: View, event: Extract<GoFishEvent, {type: Type}>) => View}}
 */
const steps = {
  "cards-asked"(view, { seat, of, rank, count }) {
    const cards = { ...view.cards, [of]: view.cards[of] - count, [seat]: view.cards[seat] + count };
    return turnOver({ ...view, cards, last: { seat, of, rank, count }, late: without(view.late, seat) });
  },
  "card-drawn"(view, { seat, rank }) {
    const { last, pond } = view, cards = { ...view.cards, [seat]: view.cards[seat] + 1 };
    const after = { ...view, cards, pond: pond - 1 };
    // Else a player without a card draws.
    if (last?.seat !== seat || last.count > 0 || last.drew) return after;
    return { ...after, last: { ...last, drew: true, ...(rank && { lucky: true }) } };
  },
  book: (view, { seat, rank }) => ({
    ...view, books: [...view.books, { seat, rank }], scores: { ...view.scores, [seat]: view.scores[seat] + 1 },
    cards: { ...view.cards, [seat]: view.cards[seat] - bookSize(view) },
  }),
  "turn-expired"(view, { seat }) {
    const count = (view.late[seat] ?? 0) + 1;
    if (count >= MOST_LATE) return goOut(view, seat, "time");
    return turnOver({ ...view, late: { ...view.late, [seat]: count } });
  },
  resigned: (view, { seat }) => goOut(view, seat, "resigned"),
  "player-left": (view, { seat }) => goOut(view, seat, "left"),
};
