// @ts-check
import { mayMove, plays, whyNot } from "../views/status-line.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** The cell of that number on the board. */
export const cellOf = (/** @type {number} */ cell) => element("board").querySelector(`[data-cell="${cell}"]`);

/** Whether the keyboard is at the board, or at a button of its game. */
export const isAtGame = () => Boolean(document.activeElement?.closest("#board, #game-buttons, #restart"));

/**
 * Leads the keyboard to what one does next, once all is drawn: nobody is taken away from where they are, only from
 * nowhere. The function it returns is given what had the focus before the room's state was drawn.
 */
export function leadKeyboard() {
  let before = /** @type {RoomState | null} */ (null), isLost = false;
  return function lead(/** @type {Element | null} */ held, /** @type {RoomState} */ state) {
    isLost ||= isGone(held);
    // Where one goes from here the last event of a commit says.
    if (state.more) return;
    const isDue = isLost || before === null || state.you.seat !== before.you.seat || isBegun(before, state);
    const isArrival = before === null;
    before = state;
    isLost = false;
    if (!isDue || document.querySelector("dialog[open]")) return;
    if (document.activeElement !== document.body && !isGone(document.activeElement)) return;
    // Who has only come may want to look on, or to read; or has a name to choose.
    const isNew = isArrival && state.you.seat === undefined;
    const places = isNew ? (state.you.player ? ["join", "sit"] : []).map(element) : placesOf(state);
    const place = places.find((one) => one && !one.closest("[hidden]"));
    // Only under who goes by keys does the page move.
    place?.focus({ preventScroll: true });
    if (place?.matches(":focus-visible")) place.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
}

/** Whether the keyboard was there, and what it was at is not shown any more. */
const isGone = (/** @type {Element | null} */ held) => Boolean(held?.closest("[hidden]"));

/** Whether this page's player may move now, or plays, and could not or did not before. */
const isBegun = (/** @type {RoomState} */ before, /** @type {RoomState} */ state) =>
  (mayMove(state) && !mayMove(before)) || (plays(state) && !plays(before));

/** What one does next, the first that is shown. */
function placesOf(/** @type {RoomState} */ state) {
  // A game that starts goes on by itself, once the cards are there.
  if (state.room.status === "dealing") return [];
  const cells = [...element("board").querySelectorAll("[data-cell]:not(:disabled)")];
  const free = cells.find((one) => whyNot(state, Number(one.dataset.cell)) === "");
  const card = state.room.status === "running" ? free ?? cells.find((one) => one.tabIndex === 0) : null;
  // Holding Enter down invites someone, and does not start a game alone.
  const ways = ["again", "play-again", "copy-link", "start", "share"];
  return [element("join"), element("sit"), card, ...ways.map(element)];
}
