// @ts-check
import { games } from "../games/list.js";
import { followReturn } from "../net/network.js";
import { followIdentity, identity } from "../store/identity.js";
import { listed, text } from "../texts/texts.js";
import { announcer } from "../views/announcer.js";
import { progressOn } from "../views/progress.js";
import { element } from "./elements.js";
import { codeField } from "./home-code.js";
import { gameCards } from "./home-games.js";
import { homeRooms } from "./home-rooms.js";
import { asSomebody } from "./quick-play.js";

/**
 * @typedef {import("../store/identity.js").Player} Player
 * @typedef {(player: Player, doing: (key: string) => void) => Promise<string>} Play resolves to the address of a room;
 *   call `doing` to show progress
 * @typedef {(button: HTMLElement, first: string, play: Play) => Promise<void>} Act goes there after a press on a
 *   button, which shows `first`, a key of the texts, as its first progress
 */

/** How long the page waits for games to continue, in ms: if they came later, they would push buttons down. */
const CONTINUE_TIMEOUT = 400;
/** After this long, in ms, a button that waits for the hub says that it still does. */
const DOUBT = 4_000;

/**
 * The home page: continue a game, start one, join a room, see which are open.
 * @param {import("./elements.js").Toast} toast
 * @param {import("./elements.js").Shell["lazyPart"]} lazyPart
 */
export async function homePage(toast, lazyPart) {
  const act = pressRunner(toast, () => rooms.isLost), rooms = homeRooms(act);
  const cards = gameCards(act, lazyPart, () => rooms.known);
  const titles = Object.values(games).map(({ title }) => text(title));
  element("invitation").textContent = text("home.invitation", { games: listed(titles) });
  codeField();
  followIdentity(() => {
    drawName();
    rooms.come();
  });
  let isFresh = true;
  await Promise.race([rooms.come(), new Promise((settle) => setTimeout(settle, CONTINUE_TIMEOUT))]);
  return {
    root: element("home"), title: "",
    enter() {
      drawName();
      rooms.enter();
      cards.play();
      if (!isFresh) rooms.come();
      isFresh = false;
    },
    leave() { rooms.leave(); },
    renew() {
      drawName();
      rooms.come();
    },
  };
}

/** Shows the player's name, if there is one. */
function drawName() {
  const name = identity()?.name;
  element("as").hidden = !name;
  element("playing-as").textContent = name ? text("home.playing-as", { name }) : "";
}

/**
 * Runs what leads to a room, and goes there. While it runs, the pressed button shows its progress, and no other button
 * starts anything. If there is no line, it says so at once, before it tries the hub.
 * @param {import("./elements.js").Toast} toast
 * @param {() => boolean} isLost whether the page has found that there is no line
 * @returns {Act}
 */
function pressRunner(toast, isLost) {
  const root = element("home"), say = announcer(element("announcer"));
  let isUnderWay = false, progress = (/** @type {string} */ _) => {}, timer = 0;
  const end = () => {
    clearTimeout(timer);
    isUnderWay = false;
    progress("");
    root.dataset.busy = "false";
    for (const button of root.querySelectorAll("[data-opens]")) button.removeAttribute("aria-disabled");
  };
  const begin = (/** @type {HTMLElement} */ pressed) => {
    isUnderWay = true;
    progress = progressOn(pressed);
    root.dataset.busy = "true";
    // Not `disabled`: the keyboard focus stays on the pressed button.
    for (const button of root.querySelectorAll("[data-opens]")) button.setAttribute("aria-disabled", "true");
  };
  // After the back button the browser may show the page as it was left.
  followReturn(end);
  /** @type {Act} */
  const act = async (button, first, play) => {
    if (isUnderWay) return;
    begin(button);
    const isCut = () => !navigator.onLine || isLost();
    const tell = (/** @type {string} */ key) => {
      progress(text(key));
      say(text(key));
    };
    const doing = (/** @type {string} */ key) => {
      clearTimeout(timer);
      tell(isCut() ? "doing.offline" : key);
      timer = window.setTimeout(() => progress(text(isCut() ? "doing.offline" : "doing.wait")), DOUBT);
    };
    // Before asking for a name: a player should know that there is no connection.
    if (isCut()) tell("doing.offline");
    try {
      const address = await asSomebody((player) => {
        doing(first);
        return play(player, doing);
      }, toast);
      if (address) return location.assign(address);
    } catch (error) {
      toast(error.message, "bad", { label: text("line.try-again"), take: () => void act(button, first, play) });
    }
    end();
    drawName();
  };
  return act;
}
