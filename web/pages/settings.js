// @ts-check
import { identity } from "../store/identity.js";
import { choose, settings } from "../store/settings.js";
import { LANGUAGES, tagOf, text } from "../texts/texts.js";
import { showAppearance } from "../views/appearance.js";
import { element, input } from "./elements.js";

/**
 * The default of each switch.
 * @type {["still" | "sound" | "music", boolean][]}
 */
const SWITCHES = [["still", false], ["sound", true], ["music", false]];

/** In the form, means the setting of the system or the browser. */
const SYSTEM = "system";

let isWired = false;

/** Shows the settings over the current page. */
export function openSettings() {
  if (!isWired) wire();
  isWired = true;
  draw();
  element("settings-dialog").showModal();
}

function wire() {
  const form = element("settings-form");
  input(form, "language").replaceChildren(
    new Option(text("settings.language.browser"), SYSTEM),
    ...Object.entries(LANGUAGES).map(([name, title]) => Object.assign(new Option(title, name), { lang: tagOf(name) })));
  form.addEventListener("change", (/** @type {{target: HTMLInputElement}} */ { target }) => change(target));
}

function draw() {
  const form = element("settings-form"), chosen = settings();
  element("settings-take").hidden = !identity();
  input(form, "language").value = chosen.language ?? SYSTEM;
  input(form, "colours").value = chosen.colours ?? SYSTEM;
  for (const [name, isOn] of SWITCHES) input(form, name).checked = chosen[name] ?? isOn;
}

/** @param {HTMLInputElement} field */
function change(field) {
  if (field.type === "checkbox") choose({ [field.name]: field.checked });
  else choose({ [field.name]: field.value === SYSTEM ? undefined : field.value });
  showAppearance(document, settings());
  dispatchEvent(new CustomEvent("settings"));
  // The page's words are all put in as it is made.
  if (field.name === "language") location.reload();
}
