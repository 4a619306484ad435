// @ts-check
import { games, isKnown } from "../games/list.js";
import { text } from "../texts/texts.js";
import { vary } from "./element-changes.js";
import { bringIntoSight } from "./scrolling.js";
import { styled } from "./style-sheets.js";
import { targetsOf } from "./targets.js";

/**
 * The loaded boards, by game.
 * @type {Map<string, import("../games/game.js").BoardMaker<any>>}
 */
const boards = new Map();
/**
 * The boards being loaded, and how often each was requested.
 * @type {Map<string, Promise<void>>}
 */
const coming = new Map();
const tries = /** @type {Map<string, number>} */ (new Map());

/**
 * Loads the board of a game and its style sheet; throws if either fails.
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
  // Browsers remember a failed module, so the next try uses another address.
  const again = count > 1 ? `?${count}` : "";
  const [{ board }] = await Promise.all([games[game].board(again), styled(games[game].style)]);
  boards.set(game, board);
}

/** @typedef {import("../games/game.js").BoardState<import("../games/game.js").AnyView>} BoardState */

/**
 * What to draw: the state of a board, its game's name, and the last event, which a scrolling board brings into view.
 * Without `hands` the viewer sees none.
 * @typedef {Omit<BoardState, "space" | "hands"> & {name: string, hands?: BoardState["hands"],
 *   happened?: import("../games/game.js").HubMessage}} Shown
 */

/**
 * The board of any game. Calls `act(target)`; draws any state given to the returned function, or does so once the
 * game's board has loaded.
 * @param {HTMLElement} root the only child of its felt
 * @param {(target: number) => void} act
 * @param {HTMLElement} [around] contains everything beside the felt; gets `--slack`, the felt's spare width on either
 *   side of the board
 */
export function boardOf(root, act, around) {
  let laid = "", isComing = false;
  let last = /** @type {Shown | null} */ (null);
  let drawBoard = (/** @type {BoardState} */ _) => {};
  const felt = /** @type {HTMLElement} */ (root.parentElement);
  let space = { width: 0, height: 0 };
  targetsOf(root, act);
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
  // Not the content box: a scroll bar changes that.
  for (const element of [felt, root]) observer.observe(element, { box: "border-box" });
  const come = async (/** @type {string} */ name) => {
    if (isComing) return;
    isComing = true;
    // The next drawing tries again.
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
    drawBoard({ ...state, hands: state.hands ?? {}, space });
    const { happened, view, seat } = state;
    if (felt.dataset.scrolls !== "true" || !happened) return;
    const place = root.querySelector(`[data-target="${games[state.name].happenedAt?.(happened, view, seat)}"]`);
    if (place) bringIntoSight(felt, place);
  }
  return draw;
}

/** Marks in `felt` whether a scrolling board continues above and below what is visible. */
function tellMore(/** @type {HTMLElement} */ felt) {
  const { scrollTop, clientHeight, scrollHeight } = felt, isScrolling = felt.dataset.scrolls === "true";
  const more = [scrollTop > 1 && "above", scrollTop + clientHeight < scrollHeight - 1 && "below"].filter(Boolean);
  const now = isScrolling ? more.join(" ") : "";
  if ((felt.dataset.more ?? "") !== now) felt.dataset.more = now;
}

/** In place of the board of an unknown game. */
function tellUnknown(/** @type {HTMLElement} */ root) {
  root.className = "unknown-game";
  root.textContent = text("game.unknown");
}
