// @ts-check
import { games } from "../games/list.js";
import { choose, settings, wantsSound } from "../store/settings.js";
import { text } from "../texts/texts.js";
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";

/** From here on a round trip is felt, and from there on it hurts, in ms. */
const FELT = 150;
const SLOW = 400;
/** Events older than this, in ms, come silently. */
const STALE = 3_000;

/**
 * Wires what stands in the bar of a room besides the chat: sound and music, the keys, sharing, the round trip.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} toggleChat
 */
export function wireBar(room, shell, toggleChat) {
  const sound = wireSound(room, shell);
  wireKeys({ m: sound.toggle, c: toggleChat });
  const share = shell.lazyPart(async () => {
    const styles = ["room-dialogs", "take-along"].map((name) => styled(`/styles/${name}.css`));
    const [{ wireShare }] = await Promise.all([import("./room-share.js"), ...styles]);
    return () => wireShare(room, shell);
  });
  const act = (/** @type {() => void} */ open) => open();
  for (const id of ["share", "invite"]) element(id).addEventListener("click", () => share.use(act));
  return {
    hear: sound.hear,
    drawTrip() {
      const { trip } = room;
      const root = element("trip");
      const isKnown = trip !== null && room.lineState === "open";
      const words = isKnown ? text("room.trip", { count: Math.round(trip) }) : "";
      // Five times a second: only what has changed is laid out anew.
      if (root.dataset.known !== String(isKnown)) root.dataset.known = String(isKnown);
      if (words === root.textContent || trip === null) return;
      root.textContent = words;
      root.title = text("room.trip.title");
      root.dataset.pace = trip < FELT ? "quick" : trip < SLOW ? "felt" : "slow";
    },
  };
}

/**
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
function wireSound(room, shell) {
  /** @type {import("../sound/sound.js").Sound | null} */
  let sound = null;
  let hearCues = /** @type {import("../games/game.js").CueFinder} */ (() => []);
  let isLoading = false;
  // Browsers let a page sound once somebody has touched it; settings may change under any touch as well.
  const wake = async () => {
    drawSwitches();
    if (!sound && room.state && wantsSound() && !isLoading) {
      isLoading = true;
      // A device without sound plays without it.
      try { await make(); } catch { sound = null; }
      isLoading = false;
    }
    sound?.follow();
  };
  const make = async () => {
    const parts = await shell.bring(() => Promise.all(
      [import("../sound/sound.js"), import("../sound/cues.js"), games[room.state.room.game]?.sounds?.()]));
    if (!parts) return;
    const [{ Sound }, { cuesOf }, ofGame] = parts;
    sound = new Sound();
    if (ofGame) sound.learn(ofGame.sounds);
    hearCues = (message, before, after) => cuesOf(message, before, after, ofGame?.cuesOf);
  };
  document.addEventListener("click", async ({ target }) => {
    await wake();
    const isButton = target instanceof Element && target.closest("button, .button") && !target.closest("[data-cell]");
    if (isButton) sound?.play("button");
  });
  document.addEventListener("keyup", wake);
  // Chosen in the settings.
  addEventListener("settings", wake);
  const toggle = () => {
    choose({ sound: !wantsSound() });
    wake();
  };
  element("sound").addEventListener("click", toggle);
  element("music").addEventListener("click", () => {
    choose({ music: !settings().music });
    wake();
  });
  drawSwitches();
  /** @type {(...of: Parameters<import("../games/game.js").CueFinder>) => void} */
  const hear = (message, before, after) => {
    // What happened while the line was down is seen at once, and not heard all together.
    const now = room.hubTime;
    if ("t" in message && now - message.t > STALE) return;
    for (const { cue, delay } of sound && before ? hearCues(message, before, after) : []) sound?.play(cue, delay);
  };
  return { toggle, hear };
}

function drawSwitches() {
  element("sound").setAttribute("aria-pressed", String(wantsSound()));
  element("music").setAttribute("aria-pressed", String(settings().music === true));
  element("music").hidden = !wantsSound();
}

/** Keys of one sign, which can be switched off (WCAG 2.1.4): `?` for help, and `acts` by their letters. */
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
    if (settings().keys === false || ctrlKey || altKey || metaKey || repeat || types) return;
    const act = key === "?" ? help : acts[key.toLowerCase()];
    // A dialog has the page to itself.
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}
