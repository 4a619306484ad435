// @ts-check
import { arrivalsIn } from "../games/arrivals.js";
import { gameOf } from "../games/list.js";
import { choose, settings, wantsSound } from "../store/settings.js";
import { text } from "../texts/texts.js";
import { isComposing } from "../views/composing.js";
import { drawRoundTrip } from "../views/round-trip.js";
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";
import { pageSound } from "./page-sound.js";

/** Events older than this, in ms, make no sound. */
const STALE = 3_000;

/**
 * Wires the bar of a room, except for the chat: sound and music, the keys, sharing, the round trip.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} toggleChat
 */
export function wireBar(room, shell, toggleChat) {
  const sound = wireSound(room, shell);
  element("trip").title = text("room.trip.title");
  wireKeys({ m: sound.toggle, c: toggleChat });
  const share = shell.lazyPart(async () => {
    const styles = ["room-dialogs", "codes"].map((name) => styled(`/styles/${name}.css`));
    const [{ wireShare }] = await Promise.all([import("./room-share.js"), ...styles]);
    return () => wireShare(shell);
  });
  const act = (/** @type {() => void} */ open) => open();
  for (const id of ["share", "invite"]) element(id).addEventListener("click", () => share.use(act));
  return {
    hear: sound.hear,
    drawTrip() { drawRoundTrip(element("trip"), room.lineState === "open" ? room.trip : null); },
  };
}

/**
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
function wireSound(room, shell) {
  let hearCues = /** @type {import("../games/game.js").CueFinder} */ (() => []);
  let hasLearned = false;
  const sound = pageSound(shell.bring, {
    isReady: () => Boolean(room.state),
    async learn(sound) {
      const [{ cuesOf }, ofGame] = await Promise.all(
        [import("../sound/cues.js"), gameOf(room.state.room.game).sounds?.()]);
      if (ofGame) sound.learn(ofGame.sounds);
      hasLearned = true;
      hearCues = (message, before, after) => cuesOf(message, before, after, ofGame?.cuesOf);
    },
    draw: drawSwitch,
  });
  const toggle = () => {
    choose({ sound: !wantsSound() });
    sound.wake();
  };
  element("sound").addEventListener("click", toggle);
  /** @type {(...of: Parameters<import("../games/game.js").CueFinder>) => Promise<void>} */
  const hear = async (message, before, after) => {
    // Events missed while the line was down appear at once, but their sounds would all play together.
    const now = room.hubTime;
    if ("t" in message && now - message.t > STALE) return;
    // The host may wait in another window without having touched this page: some browsers allow sound anyway.
    if (!hasLearned && arrivalsIn(before, after).length > 0) await sound.wake();
    for (const cue of before ? hearCues(message, before, after) : []) sound.play(cue);
  };
  return { toggle, hear };
}

function drawSwitch() {
  element("sound").setAttribute("aria-pressed", String(wantsSound()));
}

/** Single-letter keys, which can be switched off (WCAG 2.1.4): `?` for help, and `acts` by their letters. */
function wireKeys(/** @type {Record<string, () => void>} */ acts) {
  const dialog = element("keys-dialog"), isOn = element("keys-on");
  const help = () => {
    isOn.checked = settings().keys !== false;
    dialog.showModal();
  };
  element("keys").addEventListener("click", help);
  isOn.addEventListener("change", () => choose({ keys: isOn.checked }));
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, altKey, metaKey, repeat } = event;
    const types = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
    if (settings().keys === false || ctrlKey || altKey || metaKey || repeat || types || isComposing(event)) return;
    const act = key === "?" ? help : acts[key.toLowerCase()];
    // A dialog takes all keys.
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}
