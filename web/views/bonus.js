// @ts-check
import { BONUS_TIME, hasBonus } from "../games/memory.js";
import { show, vary, write } from "./sparing.js";

/**
 * The bonus of a match, running down in `root` while the first card is up. Where a game has a bonus its place is kept,
 * so that nothing moves when it begins to run. Draws any state given to the function it returns.
 * @param {HTMLElement} root
 * @param {() => number} now the hub's time
 */
export function bonusClock(root, now) {
  let from = /** @type {number | undefined} */ (undefined);
  let isTicking = false;
  const tick = () => {
    isTicking = from !== undefined;
    if (from === undefined) return;
    const left = Math.min(BONUS_TIME, Math.max(0, BONUS_TIME - (now() - from)));
    const points = Math.ceil(left / 1_000);
    write(root.querySelector(".points"), `+${points}`);
    write(root.querySelector(".seconds"), (Math.ceil(left / 100) / 10).toFixed(1));
    vary(root, "--left", (left / BONUS_TIME).toFixed(3));
    root.dataset.points = String(points);
    requestAnimationFrame(tick);
  };
  return function draw({ room, view }) {
    const isRunning = room.status === "running" && room.game === "memory";
    show(root, isRunning && hasBonus(view));
    from = isRunning ? view.bonusFrom : undefined;
    root.dataset.runs = String(from !== undefined);
    if (from !== undefined && !isTicking) tick();
  };
}
