// @ts-check

/**
 * A game of Reversi as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same version.
 * @typedef {import("../../net/messages.js").ReversiView} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 */

const SIZE = 8;
const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];

/**
 * The view right after `game-started`.
 * @param {import("../../net/messages.js").EventGameStarted} started
 * @returns {View}
 */
export function start({ options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat);
  const white = numbers.find((seat) => seat !== first) ?? first;
  const cells = Array.from({ length: SIZE * SIZE }, (_, cell) =>
    (cell === 28 || cell === 35 ? first : cell === 27 || cell === 36 ? white : null));
  return drawn({ options, seats: numbers, black: first, cells, awaited: [], legal: [], counts: {}, moves: "", out: [] },
    first);
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
 * The name of a cell: 0 is a1.
 * @param {number} cell
 */
export const nameOfCell = (cell) => "abcdefgh"[cell % SIZE] + String(Math.floor(cell / SIZE) + 1);

/**
 * The other player than `seat`.
 * @param {View} view
 * @param {number} seat
 */
const other = (view, seat) => view.seats.find((other) => other !== seat) ?? seat;

/**
 * Without a clock.
 * @param {View} view
 * @returns {View}
 */
function stopped({ deadline, ...view }) { return view; }

/**
 * With everything that follows from the position of the discs, where `mover` is next: to place a disc or to pass.
 * @param {View} view
 * @param {number} mover
 * @returns {View}
 */
function drawn(view, mover) {
  const counts = Object.fromEntries(
    view.seats.map((seat) => [seat, view.cells.filter((holder) => holder === seat).length]));
  const isOut = view.out.length > 0, legal = isOut ? [] : legalCells(view, mover);
  const isOver = isOut || (legal.length === 0 && legalCells(view, other(view, mover)).length === 0);
  return { ...view, counts, legal, awaited: isOver ? [] : [mover] };
}

/**
 * The cells where `mover` may place a disc.
 * @param {View} view
 * @param {number} mover
 */
const legalCells = (view, mover) =>
  view.cells.flatMap((_, cell) => (flips(view, mover, cell).length > 0 ? [cell] : []));

/**
 * The discs that a move of `mover` to `cell` would turn over.
 * @param {View} view
 * @param {number} mover
 * @param {number} cell
 */
function flips({ cells }, mover, cell) {
  if (cells[cell] !== null) return [];
  return DIRECTIONS.flatMap(([right, down]) => {
    const run = [];
    let column = cell % SIZE + right, row = Math.floor(cell / SIZE) + down;
    for (; column >= 0 && row >= 0 && column < SIZE && row < SIZE; column += right, row += down) {
      const holder = cells[row * SIZE + column];
      if (holder === null) return [];
      if (holder === mover) return run;
      run.push(row * SIZE + column);
    }
    return [];
  });
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {"time" | "resigned" | "left"} reason
 */
const lose = (view, seat, reason) =>
  drawn(view.out.length > 0 ? view : { ...stopped(view), out: [{ seat, reason }] }, seat);

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "place-disc"(view, { cell, seat, flips }) {
    const cells = view.cells.map((holder, index) => (index === cell || flips.includes(index) ? seat : holder));
    const moves = view.moves + nameOfCell(cell);
    return drawn({ ...stopped(view), cells, moves, last: { cell, flips } }, other(view, seat));
  },
  pass: (view, { seat }) => drawn(view, other(view, seat)),
  "turn-expired": (view, { seat }) => lose(view, seat, "time"),
  resigned: (view, { seat }) => lose(view, seat, "resigned"),
  "player-left": (view, { seat }) => (view.awaited.length > 0 ? lose(view, seat, "left") : view),
};
