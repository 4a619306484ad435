// @ts-check
import { games } from "../games/list.js";
import { chosen, fittingLevel } from "../games/options.js";
import { roomAddress } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { miniatureOf } from "../views/miniature.js";
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";
import { playAlone, playComputer, playFriends, playQuick } from "./quick-play.js";

/**
 * @typedef {import("./home.js").Act} Act
 * @typedef {import("./elements.js").Shell["lazyPart"]} LazyPart
 * @typedef {ReturnType<typeof import("./set-up.js").setUp>} SetUp
 * @typedef {{readonly part: SetUp | null, use: (act: (part: SetUp) => void) => Promise<void>}} Dialog
 */

/** Each game of the page plays a while after the one before, in ms. */
const STAGGER = 1_200;

/**
 * A card for each game, with its board in small and the ways to play it; `play` of what it returns moves the boards.
 * @param {(act: Act) => void} act
 * @param {LazyPart} lazyPart
 */
export function gameCards(act, lazyPart) {
  const dialog = lazyPart(async () => {
    const [{ setUp }] = await Promise.all([import("./set-up.js"), styled("/styles/game-fields.css")]);
    return setUp;
  });
  const cards = Object.keys(games).map((name) => gameCard(name, act, dialog));
  element("games").replaceChildren(...cards.map(({ root }) => root));
  return { play() { cards.forEach(({ play }, index) => setTimeout(play, STAGGER * index)); } };
}

/**
 * @param {string} name
 * @param {(act: Act) => void} act
 * @param {Dialog} dialog
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
  const choice = () => dialog.part?.choice(name) ?? { ...chosen(name), level: fittingLevel(name) };
  way("alone").hidden = games[name].seats[0] > 1;
  /** @type {Record<string, Act>} to the code of a room */
  const plays = {
    quick: (player) => playQuick(player, name),
    friends: (player) => playFriends(player, name, element("by-link").checked ? "unlisted" : "public"),
    computer: (player) => playComputer(player, choice()),
    alone: (player) => playAlone(player, choice()),
  };
  for (const [id, play] of Object.entries(plays)) {
    const search = id === "quick" ? "?quick" : "";
    way(id).addEventListener("click", () => act(async (player) => roomAddress(await play(player), search)));
  }
  const open = (/** @type {SetUp} */ part) => part.open(name, choice());
  way("set-up").addEventListener("click", () => dialog.use(open));
  // The board invites as the button does; for keys and screen readers there is the button.
  root.querySelector(".picture").addEventListener("click", () => way("quick").click());
  for (const type of ["pointerenter", "focusin"]) root.addEventListener(type, play);
  return { root, play };
}
