// @ts-check
import { about, has, text } from "../texts.js";

/**
 * A game of Memory as everyone sees it: the `view` of a `welcome`, or what the events up to the same version give.
 * @typedef {{state: "down" | "up" | "won" | "gap", face?: string, by?: number}} Card
 * @typedef {Object} View
 * @property {number} columns
 * @property {number} rows
 * @property {number} pairs
 * @property {number} [gap]
 * @property {{name: string, colour: string[], kind?: "emoji" | "pictures" | "text"}} theme
 * @property {Record<string, any>} options
 * @property {Card[]} cells
 * @property {number[]} up
 * @property {number[]} seats
 * @property {number[]} away
 * @property {number[]} left
 * @property {number[]} shuffled who has shuffled in this game
 * @property {number[]} asked who has asked for a restart in this turn
 * @property {number} turn
 * @property {number} [deadline]
 * @property {number} [revealUntil]
 * @property {number} [bonusFrom] since when the bonus of the one card that is up runs
 * @property {Record<string, number>} scores
 * @property {Record<string, number>} turns
 * @property {Record<string, number>} won
 * @property {number} pairsLeft
 */

export const title = "memory";
/** Fewest players. */
export const fewest = 1;
/** Something is drawn in secret: each game has a commitment. */
export const isDealt = true;
/** Seats of a room whose options do not say. */
export const seats = 8;
export const levels = ["easy", "medium", "perfect"];

/** What a player may ask for besides turning cards. */
export const buttons = [
  { type: "shuffle", label: "memory.shuffle", mayUse: (view, seat) => view.up.length === 0 && mayShuffle(view, seat) },
  { type: "restart", label: "memory.restart", mayUse: (view, seat) => !view.asked.includes(seat) },
];

const present = (view) => view.seats.filter((seat) => !view.left.includes(seat));
const mayShuffle = (view, seat) =>
  present(view).length === 1 || (view.turn === seat && !view.shuffled.includes(seat));

/** The command that a cell of the board stands for. @param {number} cell */
export const move = (cell) => ({ type: "flip", cell });

/** Whether it is up to `seat` to turn a card now. @param {View} view */
export const mayMove = (view, seat) => view.turn === seat && view.up.length < 2 && view.pairsLeft > 0;

/** How many more cards this turn may turn up. @param {View} view */
export const movesLeft = (view) => 2 - view.up.length;

/** How long the bonus of the first card runs, in ms, and what it is worth in points at most. */
export const BONUS_TIME = 5_000;

/** Whether a match is worth more the sooner it comes. @param {View} view */
export const hasBonus = (view) => BONUS_RULES.includes(view.options.rule);

/** Whether `cell` can be moved to by whoever may. @param {View} view */
export const isFree = (view, cell) => view.cells[cell].state === "down";

/** What a player whose turn it is not has to wait for. @param {View} view */
export const whyNot = (view, seat) => (view.turn === seat ? text("memory.wait") : "");

/** Where the turn stands: the key of a few words about whose turn it is. @param {View} view */
export const turnText = (view) => ["memory.turn", "memory.twin", "memory.no-pair"][view.up.length];

/** The view right after `game-started`. @returns {View} */
export function start({ theme, board, options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat);
  const zeros = () => Object.fromEntries(numbers.map((seat) => [seat, 0]));
  const view = {
    columns: board.columns, rows: board.rows, pairs: board.pairs,
    theme: { name: theme.name, colour: theme.colour, ...(theme.kind && { kind: theme.kind }) }, options,
    cells: Array.from({ length: board.columns * board.rows }, (_, cell) =>
      ({ state: cell === board.gap ? "gap" : "down" })),
    up: [], seats: numbers, away: [], left: [], shuffled: [], asked: [], turn: first,
    scores: zeros(), turns: zeros(), won: zeros(), pairsLeft: board.pairs,
  };
  if (board.gap !== undefined) view.gap = board.gap;
  return /** @type {View} */ (view);
}

/**
 * The view after `event`; the one given does not change. Events that are not the game's leave it as it is.
 * @param {View} view
 * @returns {View}
 */
export function fold(view, event) {
  const step = steps[event.type];
  return step ? step(view, event) : view;
}

const BONUS_RULES = ["medium", "hard"];

const without = (view, ...names) => Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
const withCells = (view, cells, change) =>
  view.cells.map((card, cell) => (cells.includes(cell) ? change(card) : card));

const steps = {
  "show-card"(view, { cell, face, seat, t }) {
    const isFirst = view.up.length === 0;
    const next = {
      ...view, cells: withCells(view, [cell], () => ({ state: "up", face })), up: [...view.up, cell],
      turns: isFirst ? { ...view.turns, [seat]: view.turns[seat] + 1 } : view.turns,
    };
    if (isFirst) return BONUS_RULES.includes(view.options.rule) ? { ...next, bonusFrom: t } : next;
    const second = without(next, "deadline", "bonusFrom");
    if (next.cells[view.up[0]].face !== face) second.revealUntil = t + view.options.reveal;
    return second;
  },
  match(view, { cells, seat, scores }) {
    return {
      ...view, cells: withCells(view, cells, ({ face }) => ({ state: "won", face, by: seat })), up: [], scores,
      won: { ...view.won, [seat]: view.won[seat] + 1 }, pairsLeft: view.pairsLeft - 1,
    };
  },
  "hide-card"(view, { cells, scores }) {
    const turned = withCells(view, cells, () => ({ state: "down" }));
    return { ...without(view, "revealUntil", "bonusFrom"), cells: turned, up: [], scores };
  },
  turn(view, { seat, deadline }) {
    /** @type {Record<string, any>} */
    const next = { ...without(view, "deadline"), turn: seat, asked: [] };
    if (deadline !== undefined) next.deadline = deadline;
    return next;
  },
  "turn-expired": (view) => without(view, "deadline"),
  "cards-shuffled": (view, { seat }) => ({ ...view, shuffled: sorted(view, [...view.shuffled, seat]) }),
  "restart-asked": (view, { seat }) => ({ ...view, asked: sorted(view, [...view.asked, seat]) }),
  away: (view, { seat }) => ({ ...view, away: sorted(view, [...view.away, seat]) }),
  back: (view, { seat }) => ({ ...view, away: view.away.filter((other) => other !== seat) }),
  "player-left"(view, { seat, result }) {
    return {
      ...view, left: sorted(view, [...view.left, seat]), away: view.away.filter((other) => other !== seat),
      asked: view.asked.filter((other) => other !== seat),
      turns: { ...view.turns, [seat]: result.turns },
    };
  },
  "clock-extended"(view, { ms }) {
    const next = { ...view };
    if (next.deadline !== undefined) next.deadline += ms;
    if (next.revealUntil !== undefined) next.revealUntil += ms;
    if (next.bonusFrom !== undefined) next.bonusFrom += ms;
    return next;
  },
};

/** In the order of turns. */
const sorted = (view, seats) => view.seats.filter((seat) => seats.includes(seat));

/** A face in words: drawings have a name in each language, any other face says itself. @param {string} face */
export function nameOfFace(face) {
  const key = `picture.${face}`;
  return has(key) ? text(key) : face;
}

/**
 * One sentence for who cannot see the board; empty where there is nothing to say.
 * @param {any} event
 * @param {(seat: number) => {name: string, isYou: boolean}} who
 */
export function sentence(event, who) {
  switch (event.type) {
    case "show-card":
      return about("memory.show-card", who(event.seat), { card: event.cell + 1, face: nameOfFace(event.face) });
    case "hide-card": return text(event.cells.length === 2 ? "memory.hide-cards" : "memory.hide-card");
    case "match": case "cards-shuffled": case "restart-asked": return about(`memory.${event.type}`, who(event.seat));
    default: return "";
  }
}
