// @ts-check
import { element } from "./elements.js";

/** The cell of that number on the board. */
export const cellOf = (/** @type {number} */ cell) => element("board").querySelector(`[data-cell="${cell}"]`);

/** Whether the keyboard is at the board, or at a button of its game. */
export const isAtGame = () => Boolean(document.activeElement?.closest("#board, #game-buttons"));

/**
 * Has the keyboard go on with the cards, where this page's own button has begun the game: it is gone by then. `hear` is
 * called before a message is drawn, `cardsDealt` when the cards are there.
 */
export function startKeyboard() {
  let hasStarted = false;
  return {
    /** @param {import("../games/room.js").HubMessage} message */
    hear(message) {
      if (message.type === "dealing" || message.type === "game-started") {
        hasStarted ||= ["start", "again"].includes(document.activeElement?.id ?? "");
      }
      // Dealt again: the keyboard goes on where it was.
      if (message.type === "game-ended" && message.reason === "restart") hasStarted ||= isAtGame();
    },
    cardsDealt() {
      const isLost = document.activeElement === document.body || document.activeElement?.matches("#start, #again");
      if (hasStarted && isLost) element("board").querySelector("[tabindex='0']")?.focus();
      hasStarted = false;
    },
  };
}

/**
 * Has the keyboard go on where a room's button, which had it, is gone: with a free seat, the cards, or what one does
 * next.
 * @param {Element | null} held what had it before all was drawn
 * @param {{status: string}} room
 */
export function goOnFrom(held, { status }) {
  if (!held?.closest("#actions") || !held.closest("[hidden]")) return;
  // A game that starts goes on by itself, once the cards are there.
  if (held.id === "start" && status !== "waiting") return;
  const card = status === "running" ? element("board").querySelector("[tabindex='0']") : null;
  // Whoever holds Enter down invites somebody, and does not start alone.
  const all = [element("sit"), card, ...["invite", "start", "share"].map(element)];
  all.find((one) => one && !one.closest("[hidden]"))?.focus();
}
