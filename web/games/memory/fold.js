// @ts-check
import { extended, failed, isRace, turnedDown, turnedUp } from "./race.js";

/**
 * A game of Memory as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same version.
 * @typedef {import("../../net/messages.js").MemoryView} View
 * @typedef {import("../../net/messages.js").Card} Card
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../../net/messages.js").EventGameStarted & {theme: import("../../net/messages.js").Theme,
 *   board: {pairs: number}, options: import("../../net/messages.js").MemoryOptions}} Started
 */

/**
 * The seats that still play.
 * @param {View} view
 */
const present = (view) => view.seats.filter((seat) => !view.left.includes(seat));

/**
 * Why `seat` cannot shuffle the face-down cards now.
 * @param {View} view
 * @param {number} seat
 */
export function whyNotShuffle(view, seat) {
  if (!movers(view).includes(seat)) return "error.not-your-turn";
  if (view.up.length > 1 && !isRace(view)) return "error.wait-for-reveal";
  if (view.up.length > 0) return "error.attempt-under-way";
  return present(view).length > 1 && view.shuffled.includes(seat) ? "error.already-shuffled" : "";
}

/**
 * The seats whose turn it is: in a race, everyone's who plays.
 * @param {View} view
 */
export const movers = (view) => (view.mover === undefined ? present(view) : [view.mover]);

/**
 * The cards that `seat` has up; without a race, those of the only player who has any.
 * @param {View} view
 * @param {number} [seat]
 */
export const cardsUp = (view, seat = -1) => (isRace(view) ? view.attempts[seat]?.cells ?? [] : view.up);

/**
 * The cards that have turned out to be no pair, and turn back soon.
 * @param {View} view
 */
export const misses = (view) => (isRace(view) ? failed(view) : view.revealUntil === undefined ? [] : view.up);

/**
 * Until when `seat` has time for the next card.
 * @param {View} view
 * @param {number} seat
 */
export const deadline = (view, seat) => (!isRace(view) ? view.deadline
  : mayMove(view, seat) ? view.attempts[seat]?.until : undefined);

/**
 * Whether `seat` may turn a card now.
 * @param {View} view
 * @param {number} seat
 */
export const mayMove = (view, seat) => view.awaited.includes(seat);

/**
 * How many more cards may be turned up in this turn.
 * @param {View} view
 * @param {import("../game.js").Own} own
 */
export const movesLeft = (view, { seat }) => 2 - cardsUp(view, seat).length;

/** How long the bonus of the first card runs, in ms. */
export const BONUS_TIME = 5_000;

/**
 * Whether a quick match is worth more.
 * @param {View} view
 */
export const hasBonus = (view) => BONUS_RULES.includes(view.options.rule ?? "");

/**
 * When the bonus of the first card of `seat` started, if it runs.
 * @param {View} view
 * @param {number} [seat]
 */
export const bonusSince = (view, seat = -1) => (isRace(view) ? view.attempts[seat]?.bonusFrom : view.bonusFrom);

/**
 * Why the player to move cannot turn the card on `cell` now.
 * @param {View} view
 * @param {number} cell
 * @param {import("../game.js").Own} [own]
 */
export function whyNot(view, cell, own) {
  const seat = own?.seat;
  const { state } = view.cells[cell];
  if (state === "gap") return "memory.card.gap";
  if (state !== "down") return `error.card-is-${state}`;
  const isWaiting = isRace(view) ? seat !== undefined && !mayMove(view, seat) : view.up.length > 1;
  return isWaiting ? "error.wait-for-reveal" : "";
}

/**
 * The view right after `game-started`.
 * @param {Started} started
 * @returns {View}
 */
export function start({ theme, board, options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat);
  const zeros = () => Object.fromEntries(numbers.map((seat) => [seat, 0]));
  /** @type {View} */
  const view = {
    columns: board.columns, rows: board.rows, pairs: board.pairs,
    theme: { name: theme.name, colour: theme.colour, ...(theme.kind && { kind: theme.kind }) }, options,
    cells: Array.from({ length: board.columns * board.rows }, (_, cell) =>
      ({ state: cell === board.gap ? "gap" : "down" })),
    up: [], seats: numbers, awaited: [], away: [], left: [], shuffled: [],
    ...(options.order === "free" ? { attempts: {} } : { mover: first }),
    scores: zeros(), turns: zeros(), won: zeros(), pairsLeft: board.pairs,
  };
  if (board.gap !== undefined) view.gap = board.gap;
  return view;
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

const BONUS_RULES = ["medium", "hard"];

/**
 * @param {View} view
 * @param {...("deadline" | "revealUntil" | "bonusFrom")} names
 * @returns {View}
 */
function without(view, ...names) {
  const rest = { ...view };
  for (const name of names) delete rest[name];
  return rest;
}

/**
 * @param {View} view
 * @param {number[]} cells
 * @param {(card: Card) => Card} change
 */
const withCells = (view, cells, change) =>
  view.cells.map((card, cell) => (cells.includes(cell) ? change(card) : card));

/**
 * What a card shows; nothing where it lies face down.
 * @param {Card} card
 */
const faceOf = (card) => ("face" in card ? card.face : "");

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "show-card"(view, event) {
    const { cell, face, seat, t } = event, isFirst = view.up.length === 0;
    const cells = withCells(view, [cell], () => ({ state: "up", face }));
    if (isRace(view)) {
      const isMatch = view.up.some((other) => faceOf(view.cells[other]) === face);
      return { ...view, cells, ...turnedUp(view, event, isMatch, hasBonus(view)) };
    }
    /** @type {View} */
    const next = {
      ...view, cells, up: [...view.up, cell],
      turns: isFirst ? { ...view.turns, [seat]: view.turns[seat] + 1 } : view.turns,
    };
    if (isFirst) return BONUS_RULES.includes(view.options.rule ?? "") ? { ...next, bonusFrom: t } : next;
    const second = { ...without(next, "deadline", "bonusFrom"), awaited: [] };
    if (faceOf(next.cells[view.up[0]]) !== face) second.revealUntil = t + (view.options.reveal ?? 0);
    return second;
  },
  match(view, { cells, seat, scores }) {
    const pairsLeft = view.pairsLeft - 1;
    const after = { ...view, ...(isRace(view) ? turnedDown(view, cells) : { up: [] }) };
    return {
      ...after, ...(pairsLeft === 0 && { awaited: [] }), scores,
      cells: withCells(view, cells, (card) => ({ state: "won", face: faceOf(card), by: seat })),
      won: { ...view.won, [seat]: view.won[seat] + 1 }, pairsLeft,
    };
  },
  "hide-card"(view, { cells, scores }) {
    const turned = withCells(view, cells, () => ({ state: "down" }));
    if (isRace(view)) return { ...view, ...turnedDown(view, cells), cells: turned, scores };
    return { ...without(view, "revealUntil", "bonusFrom"), cells: turned, up: [], scores };
  },
  turn: (view, { seat }) => ({ ...view, mover: seat }),
  "turn-expired": (view) => ({ ...without(view, "deadline"), awaited: [] }),
  "cards-shuffled": (view, { seat }) => ({ ...view, shuffled: sorted(view, [...view.shuffled, seat]) }),
  "clock-extended": (view, { ms }) => (isRace(view) ? { ...view, attempts: extended(view, ms) } : view),
  away: (view, { seat }) => ({ ...view, away: sorted(view, [...view.away, seat]) }),
  back(view, { seat }) {
    // If all were away, the turn of the seat follows.
    const awaited = present(view).every((other) => view.away.includes(other)) ? [] : view.awaited;
    return { ...view, awaited, away: view.away.filter((other) => other !== seat) };
  },
  "player-left"(view, { seat, result }) {
    return {
      ...view, awaited: view.awaited.filter((other) => other !== seat), left: sorted(view, [...view.left, seat]),
      away: view.away.filter((other) => other !== seat), turns: { ...view.turns, [seat]: result.turns },
    };
  },
};

/**
 * In the order of turns.
 * @param {View} view
 * @param {number[]} seats
 */
const sorted = (view, seats) => view.seats.filter((seat) => seats.includes(seat));
