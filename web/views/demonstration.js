// @ts-check
import { games } from "../games/list.js";
import { isStill } from "../store/settings.js";
import { text } from "../texts/texts.js";
import { boardOf } from "./board.js";

/** How long the end is shown before it starts over, in ms. */
const REST = 3_200;

/**
 * A game that plays by itself on its own board while it is visible, over and over, next to words that say the same. It
 * can be paused; with reduced motion it shows its end.
 * @param {HTMLTemplateElement} template
 * @param {string} name the game's
 */
export function demonstrationOf(template, name) {
  const root = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("button"));
  const drawBoard = boardOf(/** @type {HTMLElement} */ (root.querySelector(".board")), () => {});
  const { fold, title } = games[name];
  let script = /** @type {import("../games/game.js").Demonstration<any> | null} */ (null);
  let round = 1, done = 0, isSeen = false, isPaused = false, timer = 0;

  const draw = () => {
    if (!script) return;
    const events = script.steps.slice(0, done).map(([, event]) => /** @type {any} */ (event));
    const view = events.reduce((view, event) => fold(view, event), script.view);
    const { seat, hands } = script;
    const shown = { name, view, game: round, mayMove: false, asked: new Set(), seat, hands: hands?.[done] };
    drawBoard({ ...shown, event: events.at(-1) });
  };
  const step = () => {
    if (!script) return;
    if (done < script.steps.length) done += 1;
    else [round, done] = [round + 1, 0];
    draw();
    go();
  };
  /** Continues or pauses, whichever fits. */
  const go = () => {
    clearTimeout(timer);
    if (!script) return;
    const still = isStill();
    button.hidden = still;
    button.dataset.playing = String(!isPaused);
    button.setAttribute("aria-label", `${text(isPaused ? "replay.play" : "replay.pause")}: ${text(title)}`);
    if (still && done < script.steps.length) {
      [round, done] = [round + 1, script.steps.length];
      draw();
    }
    if (isSeen && !isPaused && !still) timer = window.setTimeout(step, script.steps[done]?.[0] ?? REST);
  };
  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.some(({ isIntersecting }) => isIntersecting);
    go();
  }, { threshold: 0.4 });
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    go();
  });
  return {
    root,
    async enter() {
      // If it fails to load it is not missed: the words say everything.
      script ??= await games[name].demonstration?.().then(({ demonstration }) => demonstration, () => null) ?? null;
      observer.observe(root);
      draw();
      go();
    },
    leave() {
      observer.disconnect();
      isSeen = false;
      clearTimeout(timer);
    },
  };
}
