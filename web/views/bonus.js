// @ts-check
import { gameOf } from "../games/list.js";
import { show, vary, write } from "./element-changes.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * The bonus of a move, counting down in `root` during the move. A game with a bonus always keeps its place, so that
 * nothing moves when it starts. Draws any state given to the returned function.
 * @param {HTMLElement} root
 * @param {() => number} now the hub's time
 */
export function bonusClock(root, now) {
  let from = /** @type {number | undefined} */ (undefined);
  let isTicking = false, lasts = 0;
  const tick = () => {
    isTicking = from !== undefined;
    if (from === undefined) return;
    const left = Math.min(lasts, Math.max(0, lasts - (now() - from)));
    const points = Math.ceil(left / 1_000);
    write(root.querySelector(".points"), `+${points}`);
    write(root.querySelector(".seconds"), (Math.ceil(left / 100) / 10).toFixed(1));
    vary(root, "--left", (left / lasts).toFixed(3));
    root.dataset.points = String(points);
    requestAnimationFrame(tick);
  };
  return function draw(/** @type {RoomState} */ { room, view, you }) {
    const { bonus } = gameOf(room.game), isOffered = room.status === "running" && bonus?.isOffered(view) === true;
    show(root, isOffered);
    from = isOffered ? bonus?.since(view, you.seat) : undefined;
    lasts = bonus?.lasts ?? 0;
    root.dataset.runs = String(from !== undefined);
    if (from !== undefined && !isTicking) tick();
  };
}
