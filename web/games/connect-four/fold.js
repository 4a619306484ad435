// @ts-check

/**
 * A game of connect four as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same
 * version.
 * @typedef {import("../../net/messages.js").ConnectFourView} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 */

export const COLUMNS = 7;
export const ROWS = 6;

/**
 * The view right after `game-started`.
 * @param {import("../../net/messages.js").EventGameStarted} started
 * @returns {View}
 */
export function start({ options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat);
  const turns = Object.fromEntries(numbers.map((seat) => [seat, 0]));
  return { options, seats: numbers, first, cells: Array(COLUMNS * ROWS).fill(null), awaited: [first], turns, moves: "",
    out: [] };
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
 * The cell where a disc dropped at `cell` lands; undefined if the column is full.
 * @param {View} view
 * @param {number} cell
 */
export function landing({ cells }, cell) {
  const column = Array.from({ length: ROWS }, (_, row) => row * COLUMNS + (cell % COLUMNS));
  return column.filter((below) => cells[below] === null).pop();
}

/**
 * Whether the game is over.
 * @param {View} view
 */
export const isOver = ({ out, line, cells }) => out.length > 0 || Boolean(line) || !cells.includes(null);

/**
 * The other player than `seat`.
 * @param {View} view
 * @param {number} seat
 */
const other = (view, seat) => view.seats.find((other) => other !== seat) ?? seat;

/**
 * The view after `seat` has lost: without a clock.
 * @param {View} view
 * @param {number} seat
 * @param {"time" | "resigned" | "left"} reason
 * @returns {View}
 */
const lose = ({ deadline, ...view }, seat, reason) =>
  ({ ...view, awaited: [], out: view.out.length > 0 ? view.out : [{ seat, reason }] });

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "drop-disc"({ deadline, ...view }, { cell, seat, line }) {
    const next = {
      ...view, turns: { ...view.turns, [seat]: view.turns[seat] + 1 }, last: cell,
      cells: view.cells.map((holder, index) => (index === cell ? seat : holder)),
      moves: view.moves + String((cell % COLUMNS) + 1),
    };
    const after = line ? { ...next, line } : next;
    return { ...after, awaited: isOver(after) ? [] : [other(view, seat)] };
  },
  "turn-expired": (view, { seat }) => lose(view, seat, "time"),
  resigned: (view, { seat }) => lose(view, seat, "resigned"),
  "player-left": (view, { seat }) => (isOver(view) ? view : lose(view, seat, "left")),
};
