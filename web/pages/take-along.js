// @ts-check
import { CODE_HASH } from "../store/account-code.js";
import { account, drawLinkCode } from "../store/account.js";
import { deviceName } from "../store/device-label.js";
import { followIdentity, identity } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { qrPicture } from "../views/qr-picture.js";
import { copyText } from "./clipboard.js";
import { element } from "./elements.js";
// Adds its sentences.
import "../texts/account.en.js";

/** @typedef {import("../store/account.js").Device} Device */

/** How often to ask the hub whether the other device has connected, in ms. */
const LOOK_EVERY = 2_000;

/**
 * Fills `root` with the way to bring this player to another device: a button, and then a link that works once, as a
 * code to scan and to copy. The returned function removes the code again, and so does a change of player in this
 * browser.
 * @param {HTMLElement} root
 * @param {string} address of the page that the other device opens
 * @param {() => void} [taken] called when the other device has connected
 */
export function takeAlong(root, address, taken = () => {}) {
  root.replaceChildren(element("take-along-template").content.cloneNode(true));
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`.${name}`));
  const button = /** @type {HTMLButtonElement} */ (part("show-code")), said = part("said"), problem = part("problem");
  let timer = 0, looking = 0, turn = 0, link = "", whose = identity()?.id;
  const draw = () => {
    const isHeld = part("shown").contains(document.activeElement);
    part("shown").hidden = link === "";
    button.hidden = link !== "";
    if (isHeld) (link ? part("copy") : button).focus();
    // So that no one finds it in a page left open.
    part("code-picture").replaceChildren(...(link ? [qrPicture(link, text("take.picture"))] : []));
  };
  const hide = () => {
    turn++;
    clearTimeout(timer);
    clearInterval(looking);
    link = said.textContent = problem.textContent = "";
    draw();
  };
  const show = async () => {
    hide();
    button.disabled = true;
    const now = turn;
    try {
      const before = await account(), { code, lifetime } = await drawLinkCode();
      // Closed in between.
      if (now !== turn) return;
      looking = window.setInterval(() => look(before?.devices ?? []), LOOK_EVERY);
      link = address + CODE_HASH + code.replaceAll("-", "");
      timer = window.setTimeout(() => {
        hide();
        problem.textContent = text("take.too-old");
      }, lifetime);
      draw();
      part("copy").focus();
    } catch (reason) {
      problem.textContent = reason.message;
    } finally {
      button.disabled = false;
    }
  };
  const look = async (/** @type {Device[]} */ before) => {
    const now = turn, found = await account().catch(() => null);
    const come = found?.devices.find(({ id }) => before.every((device) => device.id !== id));
    if (!come || now !== turn) return;
    hide();
    said.textContent = text("take.taken", { name: deviceName(come) });
    taken();
  };
  followIdentity((player) => {
    if (player?.id !== whose) hide();
    whose = player?.id;
  });
  button.addEventListener("click", show);
  part("copy").addEventListener("click", async () => {
    said.textContent = await copyText(link, root) ? text("take.copied") : link;
  });
  hide();
  return hide;
}
