// @ts-check
import { about } from "../texts.js";

/**
 * A game of Reversi as everyone sees it: the `view` of a `welcome`, or what the events up to the same version give.
 * @typedef {Object} View
 * @property {Record<string, any>} options
 * @property {number[]} seats
 * @property {number} black the seat that began
 * @property {(number | null)[]} cells the seat whose disc lies there, row by row from a1
 * @property {number} turn
 * @property {number} [deadline]
 * @property {number[]} legal where the seat whose turn it is may place a disc
 * @property {Record<string, number>} counts
 * @property {string} moves
 * @property {{cell: number, flips: number[]}} [last]
 * @property {{seat: number, reason: "time" | "resigned" | "left"}} [lost]
 */

export const title = "reversi";
/** Fewest players. */
export const fewest = 2;
export const levels = ["1", "2", "3", "4", "5"];
export const buttons = [
  { type: "resign", label: "reversi.resign", mayUse: () => true, question: "reversi.resign.question" },
];

const SIZE = 8;
const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];

/** The view right after `game-started`. @returns {View} */
export function start({ options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat);
  const white = numbers.find((seat) => seat !== first);
  const cells = Array.from({ length: SIZE * SIZE }, (_, cell) =>
    (cell === 28 || cell === 35 ? first : cell === 27 || cell === 36 ? white : null));
  return drawn({ options, seats: numbers, black: first, cells, turn: first, legal: [], counts: {}, moves: "" });
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

/** The name of a cell: 0 is a1. @param {number} cell */
export const nameOfCell = (cell) => "abcdefgh"[cell % SIZE] + String(Math.floor(cell / SIZE) + 1);

export const move = (cell) => ({ type: "place", cell });
export const mayMove = (view, seat) => view.turn === seat && view.legal.length > 0;
export const isFree = (view, cell) => view.legal.includes(cell);
export const whyNot = () => "";
export const turnText = () => "now.move";

const without = (view, ...names) => Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
const other = (view) => view.seats.find((seat) => seat !== view.turn);

/** With what follows from where the discs lie. @returns {View} */
function drawn(view) {
  const counts = Object.fromEntries(
    view.seats.map((seat) => [seat, view.cells.filter((holder) => holder === seat).length]));
  const legal = view.lost ? [] : view.cells.flatMap((_, cell) => (flips(view, cell).length > 0 ? [cell] : []));
  return { ...view, counts, legal };
}

/** What a disc of whose turn it is would turn over on `cell`. @param {View} view @param {number} cell */
function flips({ cells, turn }, cell) {
  if (cells[cell] !== null) return [];
  return DIRECTIONS.flatMap(([right, down]) => {
    const run = [];
    let column = cell % SIZE + right, row = Math.floor(cell / SIZE) + down;
    for (; column >= 0 && row >= 0 && column < SIZE && row < SIZE; column += right, row += down) {
      const holder = cells[row * SIZE + column];
      if (holder === null) return [];
      if (holder === turn) return run;
      run.push(row * SIZE + column);
    }
    return [];
  });
}

const lose = (view, seat, reason) => drawn({ ...without(view, "deadline"), lost: view.lost ?? { seat, reason } });

const steps = {
  "place-disc"(view, { cell, seat, flips }) {
    const cells = view.cells.map((holder, index) => (index === cell || flips.includes(index) ? seat : holder));
    const moves = view.moves + nameOfCell(cell);
    return drawn({ ...without(view, "deadline"), cells, turn: other(view), moves, last: { cell, flips } });
  },
  pass: (view) => drawn({ ...view, turn: other(view) }),
  turn(view, { deadline }) {
    const next = without(view, "deadline");
    return deadline === undefined ? next : { ...next, deadline };
  },
  "turn-expired": (view, { seat }) => lose(view, seat, "time"),
  resigned: (view, { seat }) => lose(view, seat, "resigned"),
  "player-left": (view, { seat }) => (view.legal.length > 0 ? lose(view, seat, "left") : view),
  "clock-extended": (view, { ms }) => (view.deadline === undefined ? view : { ...view, deadline: view.deadline + ms }),
};

/**
 * One sentence for who cannot see the board; empty where there is nothing to say.
 * @param {any} event
 * @param {(seat: number) => {name: string, isYou: boolean}} who
 */
export function sentence(event, who) {
  switch (event.type) {
    case "place-disc": {
      const values = { cell: nameOfCell(event.cell), count: event.flips.length };
      return about("reversi.place-disc", who(event.seat), values);
    }
    case "pass": case "resigned": return about(`reversi.${event.type}`, who(event.seat));
    default: return "";
  }
}
