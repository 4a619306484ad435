// @ts-check
import { choose, wantsMusic, wantsSound } from "../store/settings.js";
import { element } from "./elements.js";

/** @typedef {import("../sound/sound.js").Sound} Sound */

/**
 * What can be heard on a page: its buttons, and music where that is on, by its switch in the bar. Browsers let a page
 * sound once somebody has touched it, so all of it is brought then; settings may change under any touch as well.
 * @param {import("./elements.js").Shell["bring"]} bring
 * @param {Object} [more]
 * @param {() => boolean} [more.isReady] whether it is known what else is heard
 * @param {(sound: Sound) => Promise<void>} [more.learn] brings that
 * @param {() => void} [more.draw] shows what is chosen
 */
export function pageSound(bring, more = {}) {
  const { isReady = () => true, learn = async () => {}, draw = () => {} } = more;
  let sound = /** @type {Sound | null} */ (null);
  let isLoading = false;
  const make = async () => {
    const part = await bring(() => import("../sound/sound.js"));
    if (!part) return;
    const made = new part.Sound();
    await learn(made);
    sound = made;
  };
  const drawAll = () => {
    element("music").setAttribute("aria-pressed", String(wantsMusic()));
    draw();
  };
  const wake = async () => {
    drawAll();
    if (!sound && isReady() && wantsSound() && !isLoading) {
      isLoading = true;
      // A device without sound plays without it.
      try { await make(); } catch { sound = null; }
      isLoading = false;
    }
    // What is played before that is not heard, the press that woke it neither.
    await sound?.follow();
  };
  // Who wants music wants to hear it.
  element("music").addEventListener("click", () =>
    choose(wantsMusic() ? { music: false } : { music: true, sound: true }));
  document.addEventListener("click", async ({ target }) => {
    await wake();
    const isButton = target instanceof Element && target.closest("button, .button") && !target.closest("[data-cell]");
    if (isButton) sound?.play("button");
  });
  document.addEventListener("keyup", wake);
  // Chosen in the settings.
  addEventListener("settings", wake);
  drawAll();
  return {
    wake,
    /**
     * Nothing as long as nobody has touched the page.
     * @param {import("../games/game.js").Cue} cue
     */
    play({ cue, delay }) { sound?.play(cue, delay); },
  };
}
