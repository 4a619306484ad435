// @ts-check
import { NOTHING, rowsOf, squareOf } from "../squares.js";

/**
 * @typedef {import("./fold.js").View} View
 * @typedef {import("../../net/messages.js").RecordedEvent} RecordedEvent
 */

/** Squares in a line of a message: a phone would break a longer one anywhere. */
const LINE = 12;

/**
 * For each player, attempt by attempt, whether it was a pair.
 * @param {View} view
 * @param {RecordedEvent[]} events
 */
export function squares({ seats }, events) {
  const attempts = /** @type {Map<number, string[]>} */ (new Map(seats.map((seat) => [seat, []])));
  /** Who has last turned up each card. */
  const turned = /** @type {Record<number, number>} */ ({});
  for (const event of events) {
    if (event.type === "show-card") turned[event.cell] = event.seat;
    if (event.type === "match") attempts.get(event.seat)?.push(squareOf(event.seat));
    if (event.type === "hide-card" && event.cells.length === 2) attempts.get(turned[event.cells[0]])?.push(NOTHING);
  }
  return [...attempts].flatMap(([seat, own]) => rowsOf(own, LINE).map((row) => ({ seat, squares: row })));
}

/**
 * The cards with their winners, and their faces if these are characters.
 * @param {View} view
 */
export function board({ columns, cells, theme }) {
  // A face that is an emoji is drawn in colour.
  const signs = (/** @type {string} */ face) =>
    (theme.kind === "pictures" ? "" : theme.kind === "emoji" ? `${face}\ufe0f` : face);
  return {
    columns,
    tiles: cells.map((card) => (card.state === "won"
      ? { seat: card.by, text: signs(card.face ?? "") } : card.state === "gap" ? {} : { ground: "#8a83a0" })),
  };
}
