// @ts-check
import { games } from "../games/list.js";
import { gridOf } from "./grid.js";
import { styled } from "./style-sheets.js";

/**
 * @typedef {import("../games/game.js").BoardState<import("../games/game.js").AnyView> & {name: string}} Shown
 */

/**
 * The boards that have come, by game.
 * @type {Map<string, import("../games/game.js").BoardMaker<any>>}
 */
const boards = new Map();
let tries = 0;

/**
 * Brings in the board of a game, and the style sheet of its own; throws where it does not come.
 * @param {string} game
 */
export async function bringBoard(game) {
  if (boards.has(game) || !games[game]) return;
  // Browsers keep what did not come: the next try asks for it by another address.
  const again = tries++ > 0 ? `?${tries}` : "";
  const [{ board }] = await Promise.all([games[game].board(again), styled(games[game].style)]);
  boards.set(game, board);
}

/**
 * The board of whatever game a room plays. Calls `act(cell)`; draws any state given to the function it returns, or as
 * soon as the game's board has come.
 * @param {HTMLElement} root
 * @param {(cell: number) => void} act
 */
export function boardOf(root, act) {
  let laid = "", isComing = false;
  let last = /** @type {Shown | null} */ (null);
  let drawBoard = (/** @type {Shown} */ _) => {};
  gridOf(root, act);
  const come = async (/** @type {string} */ name) => {
    if (isComing) return;
    isComing = true;
    // What is drawn next tries again.
    const isThere = await bringBoard(name).then(() => true, () => false);
    isComing = false;
    if (isThere && last) draw(last);
  };
  /** @param {Shown} state */
  function draw(state) {
    last = state;
    const make = boards.get(state.name);
    if (!make) return void come(state.name);
    if (state.name !== laid) {
      laid = state.name;
      root.replaceChildren();
      root.removeAttribute("style");
      root.className = `${laid}-board`;
      drawBoard = make(root);
    }
    drawBoard(state);
  }
  return draw;
}
