// @ts-check
import { text } from "../texts/texts.js";
import { isComposing } from "../views/composing.js";
import { element } from "./elements.js";

/** @typedef {{playback: import("../games/playback.js").Playback, timeline: {length: number}, start: number}} Page */

/**
 * Keys that move the replay if no other element wants them.
 * @type {Record<string, number>}
 */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
/** Elements with a use of their own for these keys. */
const OWN = "input, select, textarea, dialog, [role='group']";

/**
 * Wires the buttons that move a replay; the returned function draws its position.
 * @param {Page} page
 * @param {number[]} speeds
 */
export function wireTransport(page, speeds) {
  const { playback } = page;
  const range = element("replay-range"), speed = element("replay-speed"), play = element("replay-play");
  speed.append(...speeds.map((one) => new Option(`${one}×`, String(one), false, one === playback.speed)));
  speed.addEventListener("change", () => {
    playback.setSpeed(Number(speed.value));
    playback.seek(playback.version);
  });
  range.addEventListener("input", () => playback.seek(Number(range.value)));
  play.addEventListener("click", () => toggle(page));
  element("replay-back").addEventListener("click", () => playback.step(-1));
  element("replay-forward").addEventListener("click", () => playback.step(1));
  element("replay-live").addEventListener("click", () => playback.seek(page.timeline.length));
  /** @param {{version: number, length: number, isPlaying: boolean, isFollowing: boolean, isRunning: boolean}} state */
  return function draw({ version, length, isPlaying, isFollowing, isRunning }) {
    play.dataset.plays = String(isPlaying);
    play.setAttribute("aria-label", text(isPlaying ? "replay.pause" : "replay.play"));
    // A focused button stays enabled: the keyboard would lose its place.
    element("replay-back").setAttribute("aria-disabled", String(version <= 1));
    element("replay-forward").setAttribute("aria-disabled", String(version >= length));
    element("replay-position").textContent = text("replay.position", { version, count: length });
    element("replay-live").hidden = !isRunning;
    element("replay-live").setAttribute("aria-pressed", String(isFollowing));
    // Single steps are read aloud, playback is not.
    element("replay-say").setAttribute("aria-live", isPlaying ? "off" : "polite");
  };
}

function toggle(/** @type {Page} */ { playback, start }) {
  if (playback.isPlaying) playback.pause();
  else playback.play(start);
}

/**
 * Arrows step by event, Home and End jump to the ends, the space bar plays.
 * @param {Page} page
 */
export function wireKeys(page) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || target.closest(OWN)) return;
    if (isComposing(event)) return;
    const { playback, timeline } = page;
    if (event.key in KEYS) playback.step(KEYS[event.key]);
    else if (event.key === "Home") playback.step(1 - playback.version);
    else if (event.key === "End") playback.step(timeline.length - playback.version);
    else if (event.key === " " && !target.closest("button, a")) toggle(page);
    else return;
    event.preventDefault();
  });
}
