// @ts-check
import { gameOf } from "../games/list.js";
import { duration } from "../games/options.js";
import { isStill } from "../store/settings.js";
import { show, vary, write } from "./element-changes.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Below this, a turn's time is short, in ms; or below half of it, if that is less. */
const SHORT = 5_000;

/**
 * The time of turns, as `--left` from 1 to 0 for anything that runs down, and as text in `clock`: `--left` is on each
 * of `players`, and on `clock` the viewer's own time or that of the game's turn. The returned function draws any state
 * at the hub's time.
 * @param {HTMLElement} players
 * @param {HTMLElement} clock
 */
export function turnClock(players, clock) {
  return function draw(/** @type {RoomState | null} */ state, /** @type {number} */ hubTime) {
    const total = (state?.view?.options?.turnTime ?? 0) * 1_000;
    const isTimed = state?.room.status === "running" && total > 0;
    /** What is left for a seat, in ms; undefined if no time runs. */
    const leftFor = (/** @type {number} */ seat) => {
      const until = isTimed ? deadlineOf(state, seat) : undefined;
      return until === undefined ? undefined : Math.min(total, Math.max(0, until - hubTime));
    };
    // With less motion it runs down with the figure, second by second.
    const step = isStill() ? 1_000 : 1;
    // Not on the whole page: all its cards would be restyled with each tick.
    const run = (/** @type {HTMLElement} */ root, /** @type {number} */ left) =>
      vary(root, "--left", (total > 0 ? Math.ceil(left / step) * step / total : 1).toFixed(4));
    for (const player of /** @type {Iterable<HTMLElement>} */ (players.children)) {
      run(player, leftFor(Number(player.dataset.seat)) ?? total);
    }
    // Hidden without leaving the layout: the board keeps its size while the clock is off.
    show(clock, isTimed);
    const left = leftFor(Number(state?.you.seat));
    clock.dataset.runs = String(left !== undefined);
    run(clock, left ?? total);
    clock.dataset.short = String(left !== undefined && left < Math.min(SHORT, total / 2));
    write(clock.querySelector(".left"), left === undefined ? "" : duration(Math.ceil(left / 1_000)));
  };
}

/**
 * Until when a seat has time, if its time runs.
 * @param {RoomState} state
 * @param {number} seat
 */
function deadlineOf({ room, view }, seat) {
  const { deadline } = gameOf(room.game);
  return deadline && view ? deadline(view, seat) : view?.deadline;
}
