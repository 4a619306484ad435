// @ts-check
import { gameOf } from "../games/list.js";
import { isComposing } from "../views/composing.js";
import { mayMove, plays, whyNot } from "../views/status-line.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** What can be pressed on the board by this number. */
export const targetOf = (/** @type {number} */ target) =>
  element("board").querySelector(`[data-target="${target}"]`);

/** Whether the keyboard is at the board, or at a button of its game. */
export const isAtGame = () => Boolean(document.activeElement?.closest("#board, #game-buttons, #restart"));

/**
 * Escape takes back the first press of a move that takes two, unless it closes something.
 * @param {() => boolean} drop returns whether it has taken anything back
 */
export function dropByEscape(drop) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
    if (!document.querySelector("dialog[open]") && drop()) event.preventDefault();
  });
}

/**
 * Moves the keyboard focus to what to do next, once everything is drawn. It never takes the focus from anything, only
 * from nowhere. The returned function gets the element that had the focus before the room's state was drawn.
 */
export function leadKeyboard() {
  let before = /** @type {RoomState | null} */ (null), isLost = false;
  return function lead(/** @type {Element | null} */ held, /** @type {RoomState} */ state) {
    isLost ||= isGone(held);
    // The last event of a commit decides where to go, and then the player's hand.
    if (state.more || awaitsHand(state)) return;
    const isDue = isLost || before === null || state.you.seat !== before.you.seat || isBegun(before, state);
    const isArrival = before === null;
    before = state;
    isLost = false;
    if (!isDue || document.querySelector("dialog[open]")) return;
    if (document.activeElement !== document.body && !isGone(document.activeElement)) return;
    // A newcomer may want to watch or read first, or has a name to choose.
    const isNew = isArrival && state.you.seat === undefined;
    const places = isNew ? (state.you.player ? ["join", "sit"] : []).map(element) : placesOf(state);
    const place = places.find((one) => one && !one.closest("[hidden]"));
    // The page scrolls only for keyboard users.
    place?.focus({ preventScroll: true });
    if (place?.matches(":focus-visible")) place.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
}

/** Whether this page's player has a hand that has not come yet. */
const awaitsHand = (/** @type {RoomState} */ state) =>
  plays(state) && gameOf(state.room.game).hands !== undefined && !state.hand;

/** Whether the element that had the focus is no longer shown. */
const isGone = (/** @type {Element | null} */ held) => Boolean(held?.closest("[hidden]"));

/** Whether this page's player may move or play now, but could not or did not before. */
const isBegun = (/** @type {RoomState} */ before, /** @type {RoomState} */ state) =>
  (mayMove(state) && !mayMove(before)) || (plays(state) && !plays(before));

/** What to do next, in order; the first that is shown counts. */
function placesOf(/** @type {RoomState} */ state) {
  // Nothing to press: the game starts by itself when the cards come.
  if (state.room.status === "dealing") return [];
  const targets = [...element("board").querySelectorAll("[data-target]:not(:disabled)")];
  const free = targets.find((one) => whyNot(state, Number(one.dataset.target)) === "");
  const next = state.room.status === "running" ? free ?? targets.find((one) => one.tabIndex === 0) : null;
  // Holding Enter down invites someone, but does not start a game alone.
  const ways = ["again", "play-again", "copy-link", "start", "share"];
  return [element("join"), element("sit"), next, ...ways.map(element)];
}
