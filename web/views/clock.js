// @ts-check
import { duration } from "../games/options.js";
import { show, vary, write } from "./element-changes.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Below this, a turn's time is short, in ms. */
const SHORT = 5_000;

/**
 * The turn's time: `--left` on the players and on `clock`, from 1 to 0, for anything that runs down there, and as text
 * in `clock`. The returned function draws any state at the hub's time.
 * @param {HTMLElement} players
 * @param {HTMLElement} clock
 */
export function turnClock(players, clock) {
  return function draw(/** @type {RoomState | null} */ state, /** @type {number} */ hubTime) {
    const view = state?.view;
    const total = (view?.options?.turnTime ?? 0) * 1_000, deadline = view?.deadline;
    const runs = state?.room.status === "running" && deadline !== undefined && total > 0;
    // Hidden without leaving the layout: the board keeps its size while the clock is off.
    show(clock, state?.room.status === "running" && total > 0);
    clock.dataset.runs = String(runs);
    const left = runs ? Math.min(total, Math.max(0, deadline - hubTime)) : total;
    // Not on the whole page: all its cards would be restyled with each tick.
    for (const root of [players, clock]) vary(root, "--left", (total > 0 ? left / total : 1).toFixed(4));
    clock.dataset.short = String(runs && left < SHORT);
    write(clock.querySelector(".left"), runs ? duration(Math.ceil(left / 1_000)) : "");
  };
}
