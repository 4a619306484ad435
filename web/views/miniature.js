// @ts-check
import { games } from "../games/list.js";
import { isStill } from "../store/settings.js";
import { boardOf } from "./board.js";

/** The picture of a game that provides none: its start. */
const BEGINNING = /** @type {any} */ ({ options: {}, seats: [{ seat: 0 }, { seat: 1 }], first: 0 });

/**
 * A game in small on its own board: a picture of its last moves, which `play` animates once, if motion is allowed.
 * @param {HTMLTemplateElement} template
 * @param {string} name the game's
 */
export function miniatureOf(template, name) {
  const root = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const drawBoard = boardOf(/** @type {HTMLElement} */ (root.querySelector(".board")), () => {});
  let shown = /** @type {import("../games/game.js").Demonstration<any> | null} */ (null);
  let round = 0, timer = 0;

  const draw = (/** @type {number} */ done) => {
    if (!shown) return;
    const { view, steps, seat, hands } = shown;
    const events = steps.slice(0, done).map(([, event]) => /** @type {any} */ (event));
    const now = events.reduce((view, event) => games[name].fold(view, event), view);
    const state = { name, view: now, game: round, mayMove: false, asked: new Set(), seat, hands: hands?.[done] };
    drawBoard({ ...state, event: events.at(-1) });
  };
  /** Plays on from so many moves to the last. */
  const step = (/** @type {number} */ done) => {
    draw(done);
    const next = shown?.steps[done];
    timer = next ? window.setTimeout(() => step(done + 1), next[0]) : 0;
  };
  const come = async () => {
    const own = await games[name].demonstration?.().catch(() => null);
    shown = own ? own.miniature ?? own.demonstration : { view: games[name].start(BEGINNING), steps: [] };
    draw(shown.steps.length);
  };
  // A picture that fails to load is not missed.
  come().catch(() => {});
  return {
    root,
    /** Does nothing while it plays. */
    play() {
      if (!shown || shown.steps.length === 0 || timer || isStill()) return;
      round += 1;
      step(0);
    },
  };
}
