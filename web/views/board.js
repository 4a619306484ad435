// @ts-check
import { games, isKnown } from "../games/list.js";
import { text } from "../texts/texts.js";
import { vary } from "./element-changes.js";
import { gridOf } from "./grid.js";
import { bringIntoSight } from "./scrolling.js";
import { styled } from "./style-sheets.js";

/**
 * The boards that have come, by game.
 * @type {Map<string, import("../games/game.js").BoardMaker<any>>}
 */
const boards = new Map();
/**
 * Those that are on their way, and how often each was asked for.
 * @type {Map<string, Promise<void>>}
 */
const coming = new Map();
const tries = /** @type {Map<string, number>} */ (new Map());

/**
 * Brings in the board of a game, and the style sheet of its own; throws where it does not come.
 * @param {string} game
 */
export async function bringBoard(game) {
  if (boards.has(game) || !isKnown(game)) return;
  const one = coming.get(game) ?? load(game).finally(() => coming.delete(game));
  coming.set(game, one);
  return one;
}

async function load(/** @type {string} */ game) {
  const count = (tries.get(game) ?? 0) + 1;
  tries.set(game, count);
  // Browsers keep what did not come: the next try asks for it by another address.
  const again = count > 1 ? `?${count}` : "";
  const [{ board }] = await Promise.all([games[game].board(again), styled(games[game].style)]);
  boards.set(game, board);
}

/** @typedef {import("../games/game.js").BoardState<import("../games/game.js").AnyView>} BoardState */

/**
 * What is drawn: the state of a board by its game's name, and what has last happened, which a board that scrolls shows.
 * @typedef {Omit<BoardState, "space">
 *   & {name: string, happened?: import("../games/game.js").HubMessage}} Shown
 */

/**
 * The board of whatever game a room plays. Calls `act(cell)`; draws any state given to the function it returns, or as
 * soon as the game's board has come.
 * @param {HTMLElement} root the only child of its felt
 * @param {(cell: number) => void} act
 * @param {HTMLElement} [around] what holds all that stands beside the felt: given `--slack`, what this has to spare on
 *   either side of the board
 */
export function boardOf(root, act, around) {
  let laid = "", isComing = false;
  let last = /** @type {Shown | null} */ (null);
  let drawBoard = (/** @type {BoardState} */ _) => {};
  const felt = /** @type {HTMLElement} */ (root.parentElement);
  let space = { width: 0, height: 0 };
  gridOf(root, act);
  const look = () => {
    const { offsetWidth: width, offsetHeight: height } = felt;
    if (!width) return;
    if (width !== space.width || height !== space.height) {
      space = { width, height };
      if (last) draw({ ...last, event: undefined });
    }
    const slack = laid ? Math.max(0, (width - root.offsetWidth) / 2) : 0;
    if (around) vary(around, "--slack", `${Math.round(slack)}px`);
    const seen = felt.getBoundingClientRect(), laidOut = root.getBoundingClientRect();
    felt.dataset.scrolls = String(laidOut.width > seen.width + 0.5 || laidOut.height > seen.height + 0.5);
    tellMore(felt);
  };
  felt.addEventListener("scroll", () => tellMore(felt), { passive: true });
  const observer = new ResizeObserver(look);
  // Not by what is within: a scroll bar changes that.
  for (const element of [felt, root]) observer.observe(element, { box: "border-box" });
  const come = async (/** @type {string} */ name) => {
    if (isComing) return;
    isComing = true;
    // What is drawn next tries again.
    const isThere = await bringBoard(name).then(() => true, () => false);
    isComing = false;
    if (isThere && last) draw(last);
  };
  function draw(/** @type {Shown} */ state) {
    last = state;
    if (!isKnown(state.name)) return tellUnknown(root);
    const make = boards.get(state.name);
    if (!make) return void come(state.name);
    if (state.name !== laid) {
      laid = state.name;
      root.replaceChildren();
      root.removeAttribute("style");
      root.className = `${laid}-board`;
      drawBoard = make(root);
    }
    if (!space.width) space = { width: felt.offsetWidth, height: felt.offsetHeight };
    drawBoard({ ...state, space });
    if (felt.dataset.scrolls !== "true" || !state.happened || !("cell" in state.happened)) return;
    const place = root.querySelector(`[data-cell="${state.happened.cell}"]`);
    if (place) bringIntoSight(felt, place);
  }
  return draw;
}

/** Says in `felt`, where its board scrolls, whether that goes on above and below what is seen. */
function tellMore(/** @type {HTMLElement} */ felt) {
  const { scrollTop, clientHeight, scrollHeight } = felt, isScrolling = felt.dataset.scrolls === "true";
  const more = [scrollTop > 1 && "above", scrollTop + clientHeight < scrollHeight - 1 && "below"].filter(Boolean);
  const now = isScrolling ? more.join(" ") : "";
  if ((felt.dataset.more ?? "") !== now) felt.dataset.more = now;
}

/** In place of the board of a game that this page does not know. */
function tellUnknown(/** @type {HTMLElement} */ root) {
  root.className = "unknown-game";
  root.textContent = text("game.unknown");
}
