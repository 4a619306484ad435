// @ts-check
import { signOut, signOutDevice } from "../store/account.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { deviceList } from "../views/device-list.js";
import { element } from "./elements.js";
import { takeAlong } from "./take-along.js";

/** @typedef {import("../store/account.js").Account} Account */
/** @typedef {import("../store/account.js").Device} Device */

/**
 * Wires the player's devices in the dialog "You": which there are, how one more becomes one, how one is signed out.
 * @param {import("./you.js").Surroundings} around
 * @returns {import("./you.js").Part}
 */
export function wireDevices({ say, attempt }) {
  const problem = element("devices-problem"), title = element("devices-title");
  let found = /** @type {Account | null} */ (null);
  const isOnly = () => found?.devices.length === 1;
  const wayBack = () => text(isOnly() ? "devices.sign-out-here.only" : "devices.sign-out-here.way-back");
  const ask = (/** @type {Device} */ { label, current }) => confirmed(element("ask-dialog"),
    current ? text("devices.sign-out-here.question") : text("devices.sign-out.question", { name: label }),
    text("devices.sign-out"), current ? wayBack() : text("devices.sign-out.consequence"));
  const act = async (/** @type {Device} */ device) => {
    // Said before it is asked, since the hub would refuse it.
    if (device.current && isOnly() && !found?.recoveryCode) {
      problem.textContent = text("error.last-device");
      return;
    }
    if (!await ask(device)) return;
    await attempt(problem, async () => {
      if (device.current) await signOut();
      else await signOutDevice(device.id);
      // A code that was shown to it may still make it a device.
      hideCode();
      say(device.current ? text("devices.signed-out-here") : text("devices.signed-out", { name: device.label }));
      if (!device.current) title.focus();
    });
  };
  const drawList = deviceList(element("devices"), act);
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
