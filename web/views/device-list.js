// @ts-check
import { deviceName } from "../store/device-label.js";
import { isolated, spoken, text } from "../texts/texts.js";

/** @typedef {import("../store/account.js").Device} Device */

/**
 * A player's devices in `root`, each with a button that calls `signOut`; draws any devices given to the returned
 * function. The focus stays on its device; if that is gone it moves to `heading`.
 * @param {HTMLElement} root
 * @param {HTMLElement} heading
 * @param {(device: Device) => void} signOut
 */
export function deviceList(root, heading, signOut) {
  let shown = /** @type {Device[]} */ ([]);
  return function draw(/** @type {Device[]} */ devices) {
    const before = [...root.children].findIndex((element) => element.contains(document.activeElement));
    const held = before < 0 ? null : shown[before].id;
    shown = devices;
    root.replaceChildren(...devices.map((device) => item(device, signOut)));
    if (held) (root.children[devices.findIndex(({ id }) => id === held)]?.querySelector("button") ?? heading).focus();
  };
}

/**
 * @param {Device} device
 * @param {(device: Device) => void} signOut
 */
function item(device, signOut) {
  const { id, since, current } = device, called = isolated(deviceName(device));
  const element = document.createElement("li"), name = document.createElement("span");
  const note = document.createElement("small"), button = document.createElement("button");
  name.className = "name";
  const day = new Intl.DateTimeFormat(spoken(), { dateStyle: "medium" }).format(since);
  note.textContent = [current && text("devices.this"), text("devices.since", { day })].filter(Boolean).join(" · ");
  name.append(called, " ", note);
  Object.assign(button, { type: "button", className: "small" });
  button.textContent = text(current ? "devices.sign-out-here" : "devices.sign-out");
  // Notes tell two devices with the same name apart.
  note.id = `device-note-${id}`;
  button.setAttribute("aria-describedby", note.id);
  if (!current) button.setAttribute("aria-label", `${button.textContent}: ${called}`);
  button.addEventListener("click", () => signOut(device));
  element.append(name, button);
  return element;
}
