// @ts-check
import { games } from "../games/list.js";
import { chosenFor, factsChosen, fittingLevel } from "../games/options.js";
import { keepChoice, keptChoice } from "../store/choices.js";
import { text } from "../texts/texts.js";
import { write } from "../views/element-changes.js";
import { miniatureOf } from "../views/miniature.js";
import { levelText } from "../views/names.js";
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";
import { playAlone, playComputer, playFriends, playQuick } from "./quick-play.js";

/**
 * @typedef {import("./home.js").Act} Act
 * @typedef {import("./elements.js").Shell["lazyPart"]} LazyPart
 * @typedef {ReturnType<typeof import("./set-up.js").setUp>} SetUp
 * @typedef {{use: (act: (part: SetUp) => void) => Promise<void>}} Dialog
 */

/** Each game on the page plays this long after the one before, in ms. */
const STAGGER = 1_200;

/**
 * A card for each game, with a small board and the ways to play it; `play` of the result moves the boards.
 * @param {Act} act
 * @param {LazyPart} lazyPart
 * @param {() => import("../net/lobby.js").Room[] | null} rooms the open ones, if known
 */
export function gameCards(act, lazyPart, rooms) {
  const dialog = lazyPart(async () => {
    const [{ setUp }] = await Promise.all([import("./set-up.js"), styled("/styles/game-fields.css")]);
    return setUp;
  });
  const cards = Object.keys(games).map((name) => gameCard(name, act, dialog, rooms));
  element("games").replaceChildren(...cards.map(({ root }) => root));
  // Another page of this browser may have changed a choice.
  addEventListener("storage", () => { for (const { draw } of cards) draw(); });
  return { play() { cards.forEach(({ play }, index) => setTimeout(play, STAGGER * index)); } };
}

/**
 * @param {string} name
 * @param {Act} act
 * @param {Dialog} dialog
 * @param {() => import("../net/lobby.js").Room[] | null} rooms
 */
function gameCard(name, act, dialog, rooms) {
  const root = element("game-card-template").content.firstElementChild.cloneNode(true);
  const way = (/** @type {string} */ way) => root.querySelector(`[data-way="${way}"]`);
  const { root: picture, play } = miniatureOf(element("miniature-template"), name);
  const title = root.querySelector("h2");
  root.dataset.game = name;
  Object.assign(title, { id: `game-${name}`, textContent: text(games[name].title) });
  root.querySelector(".picture").append(picture);
  for (const words of root.querySelectorAll("[data-way] b")) {
    const button = words.closest("[data-way]"), chosen = button.querySelector("small");
    words.id = `${button.dataset.way}-${name}`;
    button.setAttribute("aria-labelledby", `${words.id} ${title.id}`);
    if (!chosen) continue;
    chosen.id = `${words.id}-chosen`;
    button.setAttribute("aria-describedby", chosen.id);
  }
  way("alone").hidden = games[name].seats[0] > 1;
  for (const [id, open] of Object.entries({ friends: playFriends, computer: playComputer, alone: playAlone })) {
    way(id).addEventListener("click", () => act(way(id), "doing.open", (player) => open(player, name)));
  }
  way("quick").addEventListener("click", () => act(way("quick"), "doing.search", (player, doing) =>
    playQuick(player, name, { rooms: rooms(), opening: () => doing("doing.open") })));
  const draw = () => {
    const kept = keptChoice(name), facts = factsChosen(name, kept), { level } = chosenFor(name, kept);
    // The smaller buttons have little space; the dialog shows the rest.
    const few = facts.slice(0, 2), more = facts.length > few.length ? ["…"] : [], short = [...few, ...more];
    const opponent = level === fittingLevel(name) ? [] : [levelText(name, level)];
    const said = { quick: facts, friends: short, computer: [...few, ...opponent, ...more], alone: short };
    for (const [id, facts] of Object.entries(said)) {
      write(way(id).querySelector("small"), facts.join(" · ") || (id === "quick" ? text("home.quick.hint") : ""));
    }
  };
  const open = (/** @type {SetUp} */ part) => part.open(name, chosenFor(name, keptChoice(name)), (choice) => {
    keepChoice(name, choice);
    draw();
  });
  way("set-up").addEventListener("click", () => dialog.use(open));
  draw();
  // The board works like the button, which keyboards and screen readers use.
  root.querySelector(".picture").addEventListener("click", () => way("quick").click());
  for (const type of ["pointerenter", "focusin"]) root.addEventListener(type, play);
  return { root, play, draw };
}
