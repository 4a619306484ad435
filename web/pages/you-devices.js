// @ts-check
import { signOut, signOutDevice } from "../store/account.js";
import { deviceName } from "../store/device-label.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { deviceList } from "../views/device-list.js";
import { element } from "./elements.js";
import { takeAlong } from "./take-along.js";

/** @typedef {import("../store/account.js").Account} Account */
/** @typedef {import("../store/account.js").Device} Device */

/**
 * Wires the player's devices in the dialog "You": lists them, adds one, signs one out.
 * @param {import("./you.js").Surroundings} around
 * @returns {import("./you.js").Part}
 */
export function wireDevices({ say, attempt }) {
  const problem = element("devices-problem"), heading = element("devices-title");
  let found = /** @type {Account | null} */ (null);
  const isOnly = () => found?.devices.length === 1;
  const wayBack = () => text(isOnly() ? "devices.sign-out-here.only" : "devices.sign-out-here.way-back");
  const ask = (/** @type {Device} */ device) => confirmed(element("ask-dialog"),
    text(device.current ? "devices.sign-out-here.question" : "devices.sign-out.question", { name: deviceName(device) }),
    text("devices.sign-out"), device.current ? wayBack() : text("devices.sign-out.consequence"));
  const act = async (/** @type {Device} */ device) => {
    // Say so before asking, since the hub would refuse it.
    if (device.current && isOnly() && !found?.recoveryCode) {
      problem.textContent = text("error.last-device");
      return;
    }
    if (!await ask(device)) return;
    await attempt(problem, async () => {
      if (device.current) await signOut();
      else await signOutDevice(device.id);
      // A code that it has seen could still make it a device.
      hideCode();
      say(text(device.current ? "devices.signed-out-here" : "devices.signed-out", { name: deviceName(device) }));
    });
  };
  const drawList = deviceList(element("devices"), heading, act);
  const hideCode = takeAlong(element("devices-take"), `${location.origin}/`, () => attempt(problem, async () => {}));
  return {
    draw(now) {
      found = now;
      drawList(now?.devices ?? []);
    },
    hide() {
      hideCode();
      problem.textContent = "";
    },
  };
}
