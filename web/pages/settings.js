// @ts-check
import { changeName, giveUpName, identity, register } from "../store/identity.js";
import { choose, settings } from "../store/settings.js";
import { LANGUAGES, text } from "../texts/texts.js";
import { showAppearance } from "../views/appearance.js";
import { element, input } from "./elements.js";

/**
 * What is on where nobody has chosen.
 * @type {Record<string, boolean>}
 */
const DEFAULTS = { still: false, sound: true, music: false };

/** Stands in the form for whatever the system or the browser says. */
const SYSTEM = "system";

let isWired = false;
let toast = (/** @type {string} */ _, kind = "") => {};

/**
 * Shows the settings over whatever page there is.
 * @param {(text: string, kind?: string) => void} say
 */
export function openSettings(say) {
  toast = say;
  if (!isWired) wire();
  isWired = true;
  draw();
  element("settings-dialog").showModal();
}

function wire() {
  const form = element("settings-form");
  input(form, "language").replaceChildren(
    new Option(text("settings.language.browser"), SYSTEM),
    ...Object.entries(LANGUAGES).map(([name, title]) => new Option(title, name)));
  form.addEventListener("change", (/** @type {any} */ { target }) => change(/** @type {HTMLInputElement} */ (target)));
  element("rename-form").addEventListener("submit", rename);
  const dialog = element("give-up-dialog");
  element("give-up").addEventListener("click", () => {
    dialog.returnValue = "";
    element("give-up-title").textContent = text("settings.give-up.question", { name: identity()?.name });
    dialog.showModal();
  });
  dialog.addEventListener("close", () => { if (dialog.returnValue === "give-up") giveUp(); });
}

function draw() {
  const form = element("settings-form"), chosen = /** @type {Record<string, any>} */ (settings());
  input(form, "language").value = chosen.language ?? SYSTEM;
  input(form, "colours").value = chosen.colours ?? SYSTEM;
  for (const name of Object.keys(DEFAULTS)) input(form, name).checked = chosen[name] ?? DEFAULTS[name];
  drawName();
}

function drawName() {
  const player = identity();
  input(element("rename-form"), "name").value = player?.name ?? "";
  element("rename-problem").textContent = "";
  element("give-up").hidden = !player;
  element("rename-note").hidden = !player;
  element("rename").textContent = text(player ? "settings.rename" : "settings.take-name");
}

/** @param {HTMLInputElement} field */
function change(field) {
  if (field.type === "checkbox") choose({ [field.name]: field.checked });
  else choose({ [field.name]: field.value === SYSTEM ? undefined : field.value });
  showAppearance(document, settings());
  dispatchEvent(new CustomEvent("settings"));
  // All words of a page are put into it as it is made.
  if (field.name === "language") location.reload();
}

async function rename(/** @type {any} */ event) {
  event.preventDefault();
  const name = input(event.currentTarget, "name").value, before = identity()?.name;
  try {
    const player = before ? await changeName(name) : await register(name);
    drawName();
    // A page that is open bears the name, and perhaps a seat, of the player before.
    if (player.name !== before) location.reload();
  } catch (error) { element("rename-problem").textContent = error.message; }
}

async function giveUp() {
  try {
    await giveUpName();
    location.reload();
  } catch (error) { toast(error.message, "bad"); }
}
