// @ts-check
import { duration } from "../games/options.js";

/** From here on a turn's time is short, in ms. */
const SHORT = 5_000;

/**
 * The turn's time: `--left`, from 1 to 0, on whoever's turn it is in `players` and on `clock`, a bar with the time. Set
 * on the room it would be handed down to every card, each time that it changes. Draws any state at the hub's time given
 * to the function it returns.
 * @param {HTMLElement} players
 * @param {HTMLElement} clock
 */
export function turnClock(players, clock) {
  return function draw(state, hubTime) {
    const view = state?.view;
    const total = (view?.options.turnTime ?? 0) * 1_000;
    const runs = state?.room.status === "running" && view?.deadline !== undefined && total > 0;
    // Hidden from sight, not from the layout: the board keeps its size while the time stands still.
    clock.hidden = !(state?.room.status === "running" && total > 0);
    clock.dataset.runs = String(runs);
    const left = runs ? Math.min(total, Math.max(0, view.deadline - hubTime)) : total;
    const part = (left / total || 0).toFixed(4);
    for (const element of [players.querySelector(".turn"), clock]) {
      if (element instanceof HTMLElement) element.style.setProperty("--left", part);
    }
    clock.dataset.short = String(runs && left < SHORT);
    const label = clock.querySelector(".left");
    if (label) label.textContent = runs ? duration(Math.ceil(left / 1_000)) : "";
  };
}
