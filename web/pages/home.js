// @ts-check
import { games } from "../games/list.js";
import { followIdentity, identity } from "../store/identity.js";
import { listed, text } from "../texts/texts.js";
import { element } from "./elements.js";
import { codeField } from "./home-code.js";
import { gameCards } from "./home-games.js";
import { homeRooms } from "./home-rooms.js";
import { asSomebody } from "./quick-play.js";

/**
 * @typedef {import("../store/identity.js").Player} Player
 * @typedef {(player: Player) => Promise<string>} Act leads to the address of a room
 */

/** So long the page waits for what there is to continue, in ms: what came later would push down what is pressed. */
const CONTINUE_TIMEOUT = 400;

/**
 * The first page: go on with a game, begin one, join a room, see which are open.
 * @param {(text: string, kind?: string) => void} toast
 * @param {import("./elements.js").Shell["lazyPart"]} lazyPart
 */
export async function homePage(toast, lazyPart) {
  const act = oneAtATime(toast), cards = gameCards(act, lazyPart), rooms = homeRooms(act);
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
  };
}

/** Says under which name somebody plays, once there is one. */
function drawName() {
  const name = identity()?.name;
  element("as").hidden = !name;
  element("playing-as").textContent = name ? text("home.playing-as", { name }) : "";
}

/**
 * Runs what leads to a room, and goes there. While it runs, no button of the page starts anything else.
 * @param {(text: string, kind?: string) => void} toast
 */
function oneAtATime(toast) {
  const root = element("home");
  const busy = (/** @type {boolean} */ isBusy) => {
    root.dataset.busy = String(isBusy);
    for (const button of root.querySelectorAll("[data-opens]")) button.toggleAttribute("disabled", isBusy);
  };
  // Back from a room, the browser may show the page as it was left.
  addEventListener("pageshow", () => busy(false));
  return async (/** @type {Act} */ act) => {
    busy(true);
    try {
      const address = await asSomebody(act, toast);
      if (address) return location.assign(address);
    } catch (error) { toast(error.message, "bad"); }
    busy(false);
    drawName();
  };
}
