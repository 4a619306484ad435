// @ts-check
import { isStill } from "../../store/settings.js";
import { about, text } from "../../texts/texts.js";
import { misses } from "./fold.js";
import { nameOfFace } from "./game.js";
import { liesOnItsSide } from "./layout.js";
import { ownerOf } from "./race.js";
import { standIn } from "./stand-ins.js";

/**
 * The colours that themes name, each with the one it blends into if it stands alone. A colour that is not listed is
 * drawn in the page's own.
 * @type {Record<string, string[]>}
 */
const COLOURS = {
  red: ["#e5484d", "#a61e4d"], rose: ["#e64980", "#9c2b7a"], orange: ["#f2842b", "#d6336c"],
  amber: ["#f0a51e", "#e0631a"], lime: ["#86b817", "#2b8a3e"], green: ["#34ae6b", "#0b7285"],
  teal: ["#12a594", "#0b5f8a"], cyan: ["#15aabf", "#1864ab"], blue: ["#4a6cf0", "#3a3ab8"],
  indigo: ["#6360e0", "#7a3ec0"], violet: ["#9454d6", "#c2347f"], slate: ["#6b7688", "#3b4458"],
};

/** How long a card turns, in ms: the time in the style sheet, and a little for it to start. */
const TURN = 440;
/** Cards are dealt `STEP` ms apart; if there are many, the last one starts after `DEAL` ms. */
const STEP = 22, DEAL = 700;
/** How long shuffled cards move, in ms. */
const SHUFFLE = 700;
/**
 * Cards that are turning, each with the timer that ends it.
 * @type {WeakMap<HTMLElement, ReturnType<typeof setTimeout>>}
 */
const turning = new WeakMap();

/** Faces of more characters than this are set smaller: words, not emoji. */
const WORD = /^[\p{L}\p{N}]+$/u;

/** @typedef {import("./fold.js").View} View */
/** @typedef {import("./fold.js").Card} Card */

/** @type {import("../game.js").BoardMaker<View>} */
export function board(root) {
  let laid = "", isTurned = false;
  /**
   * What each card was last drawn as; an unchanged card is left alone. `name` is of the player who has turned it up.
   * @type {{card: Card, name?: string, isMiss: boolean, isAsked: boolean, isFree: boolean}[]}
   */
  let drawn = [];
  /** The card under the pointer, if any. It invites a click if it can be turned. */
  let pointed = -1;
  const invite = () => drawn.forEach(({ isFree }, cell) => {
    const isInviting = cell === pointed && isFree;
    const element = /** @type {HTMLElement} */ (root.children[cell]);
    if (isInviting !== (element.dataset.inviting === "true")) element.dataset.inviting = String(isInviting);
  });
  for (const type of ["pointerover", "pointerleave"]) {
    root.addEventListener(type, (event) => {
      const { target, pointerType } = /** @type {PointerEvent} */ (event);
      const card = target instanceof Element && pointerType === "mouse" ? target.closest(".memory-card") : null;
      pointed = type === "pointerover" && card ? Number(/** @type {HTMLElement} */ (card).dataset.target) : -1;
      invite();
    });
  }
  return function draw({ view, game, mayMove, asked, space, event, who }) {
    const board = `${game}/${view.columns}/${view.rows}`;
    if (board !== laid) {
      const hadFocus = root.contains(document.activeElement);
      lay(root, view);
      if (hadFocus) /** @type {HTMLElement} */ (root.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
    }
    const isTurnedNow = liesOnItsSide(view, space);
    if (board !== laid || isTurnedNow !== isTurned) {
      turnBoard(root, view, isTurnedNow);
      // A card's name says where it lies.
      drawn = [];
    }
    laid = board;
    isTurned = isTurnedNow;
    const [first, second] = view.theme.colour.map((name) => COLOURS[name]);
    setColour(root, "--card-from", first?.[0]);
    setColour(root, "--card-to", second?.[0] ?? first?.[1]);
    // After the last pair the board need not be cleared: it shows who won what.
    root.dataset.matched = view.pairsLeft > 0 ? view.options.matched : "stay";
    const missed = misses(view);
    view.cells.forEach((card, cell) => {
      const isMiss = missed.includes(cell);
      const isAsked = asked.has(cell) && card.state === "down";
      const isFree = mayMove && card.state === "down";
      const owner = ownerOf(view, cell), player = owner === undefined ? owner : who?.(owner);
      const name = player?.name;
      const was = drawn[cell];
      const element = /** @type {HTMLButtonElement} */ (root.children[cell]);
      if (card !== was?.card || name !== was.name) drawCard(element, card, cell, view, isTurned, player);
      if (isMiss !== was?.isMiss) element.classList.toggle("memory-miss", isMiss);
      if (isAsked !== was?.isAsked) drawAsked(element, isAsked);
      if (isFree !== was?.isFree) element.setAttribute("aria-disabled", String(!isFree));
      drawn[cell] = { card, name, isMiss, isAsked, isFree };
    });
    invite();
    if (event?.type === "cards-shuffled") moveCards(root, event.moves);
  };
}

/**
 * Moves each card from where it lay, unless the viewer prefers reduced motion.
 * @param {number[][]} moves
 */
function moveCards(/** @type {HTMLElement} */ root, moves) {
  if (isStill()) return;
  for (const [from, to] of moves) {
    const [start, end] = [from, to].map((cell) => /** @type {HTMLElement} */ (root.children[cell]));
    // Their places on the board, even while something moves there.
    const right = start.offsetLeft - end.offsetLeft, down = start.offsetTop - end.offsetTop;
    end.animate(
      [{ transform: `translate(${right}px, ${down}px)`, zIndex: 1 },
        { transform: `translate(${right / 2}px, ${down / 2}px) scale(1.06)`, zIndex: 1 },
        { transform: "none", zIndex: 1 }],
      { duration: SHUFFLE, easing: "cubic-bezier(0.45, 0, 0.2, 1)" });
  }
}

function setColour(/** @type {HTMLElement} */ root, /** @type {string} */ name, /** @type {string} */ colour) {
  if (colour) root.style.setProperty(name, colour);
  else root.style.removeProperty(name);
}

/** Shows the board as the hub numbers its cells, or on its side. */
function turnBoard(
  /** @type {HTMLElement} */ root, /** @type {View} */ { columns, rows }, /** @type {boolean} */ isTurned) {
  root.dataset.turned = String(isTurned);
  root.style.setProperty("--columns", String(isTurned ? rows : columns));
  root.style.setProperty("--rows", String(isTurned ? columns : rows));
}

function lay(/** @type {HTMLElement} */ root, /** @type {View} */ view) {
  const step = Math.min(STEP, DEAL / view.cells.length);
  root.replaceChildren(...view.cells.map((card, cell) => {
    const element = blankCard();
    element.dataset.target = String(cell);
    element.style.setProperty("--wait", `${Math.round(cell * step)}ms`);
    element.disabled = card.state === "gap";
    element.tabIndex = cell === 0 ? 0 : -1;
    return element;
  }));
}

/** A card with two sides; `turn` shows one or the other. */
function blankCard() {
  const card = document.createElement("button"), inner = part("memory-inner");
  card.type = "button";
  card.className = "memory-card";
  inner.append(part("memory-back"), part("memory-front"));
  card.append(inner);
  return card;
}

/** @param {string} className */
const part = (className) => Object.assign(document.createElement("span"), { className });

/**
 * @param {HTMLElement} element
 * @param {Card} card
 * @param {number} cell
 * @param {View} view
 * @param {boolean} isTurned
 * @param {{name: string, isYou: boolean}} [player] who has turned it up
 */
function drawCard(element, card, cell, view, isTurned, player) {
  const { columns, theme } = view, owner = "by" in card ? card.by : ownerOf(view, cell);
  const front = /** @type {HTMLElement} */ (element.querySelector(".memory-front"));
  const was = element.dataset.side;
  element.dataset.side = card.state;
  if (was !== undefined && (was === "down") !== (card.state === "down")) turn(element);
  if (owner !== undefined) element.dataset.seat = String(owner);
  else delete element.dataset.seat;
  const shown = "face" in card ? card.face : undefined;
  if (shown !== undefined) {
    drawFace(front, shown, theme.kind);
    const length = WORD.test(shown) ? shown.length : 1;
    front.classList.toggle("memory-long", length > 1 && length < 4);
    front.classList.toggle("memory-longer", length >= 4);
  } else if (was !== "up" || isStill()) {
    clear(front);
  }
  const face = shown === undefined ? "" : nameOfFace(shown);
  const what = card.state !== "up" ? text(`memory.card.${card.state}`, { face })
    : player ? about("memory.card.of", player, { face }) : face;
  const across = (cell % columns) + 1, down = Math.floor(cell / columns) + 1;
  const place = isTurned ? { row: across, column: down } : { row: down, column: across };
  element.setAttribute("aria-label", text("memory.card", { card: cell + 1, what, ...place }));
}

/** A card that is requested again while it still turns back shows nothing of its old face. */
function drawAsked(/** @type {HTMLElement} */ element, /** @type {boolean} */ isAsked) {
  element.dataset.asked = String(isAsked);
  if (isAsked) clear(element.querySelector(".memory-front"));
}

/**
 * Gives a card two sides for as long as it turns: at rest it has one, which is cheap to draw on large boards. A card
 * that turns down keeps its face until then, so that it is seen to disappear.
 */
function turn(/** @type {HTMLElement} */ element) {
  element.dataset.turning = "true";
  clearTimeout(turning.get(element));
  turning.set(element, setTimeout(() => {
    delete element.dataset.turning;
    if (element.dataset.side === "down") clear(element.querySelector(".memory-front"));
  }, TURN));
}

/** Removes every trace of the face, from the attributes too. */
function clear(/** @type {HTMLElement | null} */ front) {
  if (!front) return;
  front.textContent = "";
  front.classList.remove("memory-long", "memory-longer");
  delete front.dataset.picture;
}

/**
 * A picture is a symbol among the page's own drawings, by its name; any other face is text, if the device can draw it.
 * @param {HTMLElement} front
 * @param {string} face
 * @param {View["theme"]["kind"]} kind
 */
function drawFace(front, face, kind) {
  if (kind !== "pictures") {
    front.replaceChildren(standIn(face, nameOfFace(face), document) ?? face);
    return;
  }
  if (front.dataset.picture === face && front.firstElementChild) return;
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `/games/memory/pictures.svg#${face}`);
  picture.setAttribute("viewBox", "0 0 64 64");
  const title = document.createElementNS(namespace, "title");
  title.textContent = nameOfFace(face);
  picture.append(title, use);
  front.dataset.picture = face;
  front.replaceChildren(picture);
}
