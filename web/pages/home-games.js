// @ts-check
import { games } from "../games/list.js";
import { roomAddress } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { miniatureOf } from "../views/miniature.js";
import { element } from "./elements.js";
import { playAlone, playComputer, playFriends, playQuick } from "./quick-play.js";
import { setUp } from "./set-up.js";

/** @typedef {import("./home.js").Act} Act */

/** Each game of the page plays a while after the one before, in ms. */
const STAGGER = 1_200;

/**
 * A card for each game, with its board in small and the ways to play it; `play` of what it returns moves the boards.
 * @param {(act: Act) => void} act
 */
export function gameCards(act) {
  const dialog = setUp();
  const cards = Object.keys(games).map((name) => gameCard(name, act, dialog));
  element("games").replaceChildren(...cards.map(({ root }) => root));
  return { play() { cards.forEach(({ play }, index) => setTimeout(play, STAGGER * index)); } };
}

/**
 * @param {string} name
 * @param {(act: Act) => void} act
 * @param {ReturnType<typeof setUp>} dialog
 */
function gameCard(name, act, dialog) {
  const root = element("game-card-template").content.firstElementChild.cloneNode(true);
  const way = (/** @type {string} */ way) => root.querySelector(`[data-way="${way}"]`);
  const { root: picture, play } = miniatureOf(element("miniature-template"), name);
  const title = root.querySelector("h2");
  root.dataset.game = name;
  Object.assign(title, { id: `game-${name}`, textContent: text(games[name].title) });
  root.querySelector(".picture").append(picture);
  for (const words of root.querySelectorAll("[data-way] b")) {
    const button = words.closest("[data-way]");
    words.id = `${button.dataset.way}-${name}`;
    button.setAttribute("aria-labelledby", `${words.id} ${title.id}`);
  }
  way("alone").hidden = games[name].seats[0] > 1;
  /** @type {Record<string, Act>} to the code of a room */
  const plays = {
    quick: (player) => playQuick(player, name),
    friends: (player) => playFriends(player, name, element("by-link").checked ? "unlisted" : "public"),
    computer: (player) => playComputer(player, dialog.choice(name)),
    alone: (player) => playAlone(player, dialog.choice(name)),
  };
  for (const [id, play] of Object.entries(plays)) {
    const search = id === "quick" ? "?quick" : "";
    way(id).addEventListener("click", () => act(async (player) => roomAddress(await play(player), search)));
  }
  way("set-up").addEventListener("click", () => dialog.open(name));
  // The board invites as the button does; for keys and screen readers there is the button.
  root.querySelector(".picture").addEventListener("click", () => way("quick").click());
  for (const type of ["pointerenter", "focusin"]) root.addEventListener(type, play);
  return { root, play };
}
