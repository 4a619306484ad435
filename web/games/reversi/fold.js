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
  return drawn({ options, seats: numbers, black: first, cells, turn: first, legal: [], counts: {}, moves: "" });
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
 * The seat that does not have the turn.
 * @param {View} view
 */
const other = (view) => view.seats.find((seat) => seat !== view.turn) ?? view.turn;

/**
 * Without a clock.
 * @param {View} view
 * @returns {View}
 */
function stopped({ deadline, ...view }) { return view; }

/**
 * With everything that follows from the position of the discs.
 * @param {View} view
 * @returns {View}
 */
function drawn(view) {
  const counts = Object.fromEntries(
    view.seats.map((seat) => [seat, view.cells.filter((holder) => holder === seat).length]));
  const legal = view.lost ? [] : view.cells.flatMap((_, cell) => (flips(view, cell).length > 0 ? [cell] : []));
  return { ...view, counts, legal };
}

/**
 * The discs that a move to `cell` would turn over, for the seat that has the turn.
 * @param {View} view
 * @param {number} cell
 */
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

/**
 * @param {View} view
 * @param {number} seat
 * @param {"time" | "resigned" | "left"} reason
 */
const lose = (view, seat, reason) => drawn({ ...stopped(view), lost: view.lost ?? { seat, reason } });

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "place-disc"(view, { cell, seat, flips }) {
    const cells = view.cells.map((holder, index) => (index === cell || flips.includes(index) ? seat : holder));
    const moves = view.moves + nameOfCell(cell);
    return drawn({ ...stopped(view), cells, turn: other(view), moves, last: { cell, flips } });
  },
  pass: (view) => drawn({ ...view, turn: other(view) }),
  "turn-expired": (view, { seat }) => lose(view, seat, "time"),
  resigned: (view, { seat }) => lose(view, seat, "resigned"),
  "player-left": (view, { seat }) => (view.legal.length > 0 ? lose(view, seat, "left") : view),
};
