// @ts-check

/**
 * A game of dots and boxes as everyone sees it: the `view` of a `welcome`, or the result of the events up to the same
 * version.
 * @typedef {import("../../net/messages.js").DotsAndBoxesView} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../../net/messages.js").EventGameStarted
 *   & {options: import("../../net/messages.js").DotsAndBoxesOptions}} Started
 */

/**
 * A line between two dots: where it begins, and whether it lies or stands.
 * @typedef {{column: number, row: number, lies: boolean}} Line
 */

/**
 * The lines of a board in their order: those that lie, row by row, then those that stand.
 * @param {number} size dots a side
 * @returns {Line[]}
 */
export function linesOf(size) {
  const every = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {boolean} */ lies) =>
    Array.from({ length: rows * columns }, (_, index) =>
      ({ column: index % columns, row: Math.floor(index / columns), lies }));
  return [...every(size, size - 1, true), ...every(size - 1, size, false)];
}

/**
 * The lines around a box: top, bottom, left, right.
 * @param {number} size dots a side
 * @param {number} box
 */
function sidesOf(size, box) {
  const column = box % (size - 1), row = Math.floor(box / (size - 1)), left = size * (size - 1) + row * size + column;
  return [box, box + size - 1, left, left + 1];
}

/**
 * How many sides the fullest box beside an open line has once it is drawn.
 * @param {View} view
 * @param {number} line
 */
export const sidesWith = ({ size, lines, boxes }, line) => Math.max(...boxes.map((_, box) => {
  const sides = sidesOf(size, box);
  return sides.includes(line) ? 1 + sides.filter((side) => lines[side] !== null).length : 0;
}));

/**
 * The view right after `game-started`.
 * @param {Started} started
 * @returns {View}
 */
export function start({ options, seats, first }) {
  const numbers = seats.map(({ seat }) => seat), size = options.size ?? 0;
  return {
    options, seats: numbers, size, lines: linesOf(size).map(() => null), boxes: Array((size - 1) ** 2).fill(null),
    awaited: [first], scores: Object.fromEntries(numbers.map((seat) => [seat, 0])), out: [],
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
const playing = ({ seats, out }) => seats.filter((seat) => !out.some((one) => one.seat === seat));

/**
 * The one who follows `seat` in the order of turns, among those who still play.
 * @param {View} view
 * @param {number} seat
 */
function next(view, seat) {
  const at = view.seats.indexOf(seat), still = playing(view);
  return [...view.seats.slice(at + 1), ...view.seats.slice(0, at + 1)].find((other) => still.includes(other)) ?? seat;
}

/**
 * With the game waiting for `mover`, or for nobody if it is over.
 * @param {View} view
 * @param {number} mover
 * @returns {View}
 */
const waitingFor = (view, mover) =>
  ({ ...view, awaited: view.lines.includes(null) && playing(view).length > 1 ? [mover] : [] });

/**
 * The view after `seat` has gone out of the game. If it was to move, the next player is.
 * @param {View} view
 * @param {number} seat
 * @param {"time" | "resigned" | "left"} reason
 * @returns {View}
 */
function goOut(view, seat, reason) {
  if (view.awaited.length === 0 || view.out.some((one) => one.seat === seat)) return view;
  const [mover] = view.awaited, after = { ...view, out: [...view.out, { seat, reason }] };
  if (mover !== seat && playing(after).length > 1) return after;
  const { deadline, ...still } = after;
  return waitingFor(still, next(after, seat));
}

/**
 * What each event of the game does to a view.
 * @type {{[Type in RecordedEvent["type"]]?: (view: View, event: Extract<RecordedEvent, {type: Type}>) => View}}
 */
const steps = {
  "draw-line"({ deadline, ...view }, { line, seat, boxes = [] }) {
    const after = {
      ...view, last: line, lines: view.lines.map((holder, index) => (index === line ? seat : holder)),
      boxes: view.boxes.map((holder, index) => (boxes.includes(index) ? seat : holder)),
      scores: { ...view.scores, [seat]: view.scores[seat] + boxes.length },
    };
    return waitingFor(after, boxes.length > 0 ? seat : next(after, seat));
  },
  "turn-expired": (view, { seat }) => goOut(view, seat, "time"),
  resigned: (view, { seat }) => goOut(view, seat, "resigned"),
  "player-left": (view, { seat }) => goOut(view, seat, "left"),
};
