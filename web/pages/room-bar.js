// @ts-check
import { choose, settings, wantsSound } from "../settings.js";
import { text } from "../texts.js";
import { element, styled } from "./elements.js";
import { brought, onDemand } from "./on-demand.js";

/** From here on a round trip is felt, and from there on it hurts, in ms. */
const FELT = 150;
const SLOW = 400;
/** Events older than this, in ms, come silently. */
const STALE = 3_000;

/**
 * Wires what stands in the bar of a room besides the chat: sound and music, the keys, sharing, the round trip.
 * @param {{line: import("../connection.js").RoomConnection, lineState: string, state: any,
 *   toast: (text: string, kind?: string) => void}} page
 * @param {() => void} toggleChat
 */
export function wireBar(page, toggleChat) {
  const sound = wireSound(() => page.line.hubTime);
  wireKeys({ m: sound.toggle, c: toggleChat });
  const share = onDemand(async () => {
    const [{ wireShare }] = await Promise.all([import("./room-share.js"), styled("/styles/room-dialogs.css")]);
    return () => wireShare(page);
  }, page.toast);
  const act = (open) => open();
  for (const id of ["share", "invite"]) element(id).addEventListener("click", () => share.use(act));
  return {
    hear: sound.hear,
    drawTrip() {
      const { trip } = page.line;
      const root = element("trip");
      const isKnown = trip !== null && page.lineState === "open";
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

/** @param {() => number} now the hub's time */
function wireSound(now) {
  /** @type {import("../sound.js").Sound | null} */
  let sound = null;
  let cuesOf = /** @type {typeof import("../cues.js").cuesOf} */ (() => []);
  let isLoading = false;
  // Browsers let a page sound once somebody has touched it; settings may change under any touch as well.
  const wake = async () => {
    drawSwitches();
    if (!sound && wantsSound() && !isLoading) {
      isLoading = true;
      // A device without sound plays without it.
      try {
        const parts = await brought(() => Promise.all([import("../sound.js"), import("../cues.js")]));
        if (parts) [sound, cuesOf] = [new parts[0].Sound(), parts[1].cuesOf];
      } catch { sound = null; }
      isLoading = false;
    }
    sound?.follow();
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
  const hear = (message, before, after) => {
    // What happened while the line was down is seen at once, and not heard all together.
    if (now() - (message.t ?? now()) > STALE) return;
    for (const { cue, delay } of sound && before ? cuesOf(message, before, after) : []) sound?.play(cue, delay);
  };
  return { toggle, hear };
}

function drawSwitches() {
  element("sound").setAttribute("aria-pressed", String(wantsSound()));
  element("music").setAttribute("aria-pressed", String(settings().music === true));
  element("music").hidden = !wantsSound();
}

/** Keys of one sign, which can be switched off (WCAG 2.1.4): `?` for help, and `acts` by their letters. */
function wireKeys(acts) {
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
