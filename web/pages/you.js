// @ts-check
import { account, forgetMe, takeName } from "../store/account.js";
import { followIdentity, identity } from "../store/identity.js";
import { proposeName } from "../texts/proposed-name.js";
import { text } from "../texts/texts.js";
import { askCode } from "./code-dialog.js";
import { element, input } from "./elements.js";
import { wireDevices } from "./you-devices.js";
import { wireSavedPlayers } from "./you-saved.js";
import { wireRecovery } from "./you-recovery.js";
// Adds its sentences.
import "../texts/account.en.js";

/** @typedef {import("../store/account.js").Account} Account */

/**
 * A part of the dialog: draws the account, null while nothing is known of it; `hide` removes what is shown only once.
 * @typedef {{draw: (found: Account | null) => void, hide: () => void}} Part
 *
 * What the dialog does for its parts: `say` reports what was done. `attempt` runs an action that may fail, shows the
 * reason in `problem`, then asks the hub again and draws everything.
 * @typedef {Object} Surroundings
 * @property {(words: string) => void} say
 * @property {(problem: HTMLElement, act: () => Promise<void>) => Promise<void>} attempt
 */

let open = /** @type {(() => void) | null} */ (null);

/**
 * Shows the player over the current page: the name, the devices, the recovery code.
 * @param {import("./elements.js").Toast} toast
 */
export function openYou(toast) {
  open ??= wire(toast);
  open();
}

/** @param {import("./elements.js").Toast} toast */
function wire(toast) {
  const dialog = element("you-dialog"), said = element("you-said"), problem = element("you-problem");
  const around = {
    say: (/** @type {string} */ words) => { said.textContent = words; },
    async attempt(/** @type {HTMLElement} */ shown, /** @type {() => Promise<void>} */ act) {
      shown.textContent = said.textContent = "";
      underWay++;
      let hasChanged = true;
      try {
        await act();
      } catch (reason) {
        shown.textContent = reason.message;
        hasChanged = isMissed;
      }
      underWay--;
      if (hasChanged) await refresh();
    },
  };
  const parts = [wireName(around), wireSavedPlayers(around), wireDevices(around), wireRecovery(around)];
  let last = /** @type {Account | null} */ (null), whose = identity()?.id, turn = 0;
  // While an action runs, the account is asked for only after it: its answer changes who this browser is, or, if a
  // room reports a new name, that changes earlier.
  let underWay = 0, isMissed = false;
  const draw = (/** @type {Account | null} */ found) => {
    last = found;
    const id = identity()?.id, isSomebody = id !== undefined;
    // Secrets shown once are not for another player.
    if (id !== whose) for (const part of parts) part.hide();
    whose = id;
    for (const id of ["you-devices", "you-recovery", "forget-me"]) element(id).hidden = !isSomebody;
    for (const part of parts) part.draw(found);
  };
  const refresh = async () => {
    isMissed = underWay > 0;
    if (isMissed) return;
    const now = ++turn;
    problem.hidden = true;
    try {
      const found = await account();
      // An older answer than the one on its way.
      if (now === turn) draw(found);
    } catch (reason) {
      if (now !== turn) return;
      element("you-reason").textContent = reason.message;
      problem.hidden = false;
    }
  };
  element("you-again").addEventListener("click", refresh);
  element("you-code").addEventListener("click", () => askCode(toast));
  wireForgetting(toast);
  followIdentity(() => {
    if (!dialog.open) return;
    // With another name, or as another player.
    draw(last?.id === identity()?.id ? last : null);
    // The focused element may be gone.
    if (!identity()) input(element("rename-form"), "name").focus();
    refresh();
  });
  dialog.addEventListener("close", () => { for (const part of parts) part.hide(); });
  return () => {
    said.textContent = "";
    draw(null);
    // This dialog may be open already: the offer to come back can be accepted there too.
    if (!dialog.open) dialog.showModal();
    refresh();
  };
}

/**
 * @param {Surroundings} around
 * @returns {Part}
 */
function wireName({ say, attempt }) {
  const form = element("rename-form"), field = input(form, "name"), problem = element("rename-problem");
  let shown = /** @type {string | undefined} */ (undefined);
  form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    attempt(problem, async () => {
      const { name } = await takeName(field.value);
      // As the hub keeps it.
      field.value = name;
      say(text("you.renamed", { name }));
    });
  });
  return {
    draw() {
      const player = identity();
      element("rename-note").hidden = !player;
      element("you-code").hidden = player !== null;
      element("rename").textContent = text(player ? "you.rename" : "you.take-name");
      // Keep what someone is typing.
      if (shown !== player?.name || field.value === "") field.value = player?.name ?? proposeName();
      shown = player?.name;
    },
    hide() {
      shown = undefined;
      field.value = problem.textContent = "";
    },
  };
}

/** @param {import("./elements.js").Toast} toast */
function wireForgetting(toast) {
  const dialog = element("forget-dialog");
  element("forget-me").addEventListener("click", () => {
    dialog.returnValue = "";
    element("forget-title").textContent = text("forget.question", { name: identity()?.name });
    dialog.showModal();
  });
  dialog.addEventListener("close", async () => {
    if (dialog.returnValue !== "forget") return;
    try {
      await forgetMe();
      toast(text("forget.done"));
    } catch (reason) { toast(reason.message, "bad"); }
  });
}
