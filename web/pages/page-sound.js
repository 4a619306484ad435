// @ts-check
import { choose, wantsMusic, wantsSound } from "../store/settings.js";
import { element } from "./elements.js";

/** @typedef {import("../sound/sound.js").Sound} Sound */

/**
 * The sounds of a page: its buttons, and music if it is on, by its switch in the bar. Browsers allow sound only after
 * the user has touched the page, so everything loads then. Settings may also change with any touch.
 * @param {import("./elements.js").Shell["bring"]} bring
 * @param {Object} [more]
 * @param {() => boolean} [more.isReady] whether it is known what other sounds there are
 * @param {(sound: Sound) => Promise<void>} [more.learn] loads those
 * @param {() => void} [more.draw] shows the setting
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
      // A device without sound plays in silence.
      try { await make(); } catch { sound = null; }
      isLoading = false;
    }
    // Sounds before this are not heard, not even of the press that woke it.
    await sound?.follow();
  };
  // Turning music on turns sound on.
  element("music").addEventListener("click", () =>
    choose(wantsMusic() ? { music: false } : { music: true, sound: true }));
  document.addEventListener("click", async ({ target }) => {
    await wake();
    const isButton = target instanceof Element && target.closest("button, .button") && !target.closest("[data-target]");
    if (isButton) sound?.play("button");
  });
  document.addEventListener("keyup", wake);
  // Changed in the settings.
  addEventListener("settings", wake);
  drawAll();
  return {
    wake,
    /**
     * Silent until the user has touched the page.
     * @param {import("../games/game.js").Cue} cue
     */
    play({ cue, delay }) { sound?.play(cue, delay); },
  };
}
