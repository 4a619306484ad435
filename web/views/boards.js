// @ts-check
import { gridOf } from "./grid.js";
import { memoryBoard } from "./memory-board.js";
import { reversiBoard } from "./reversi-board.js";

/** The board of each game: draws into an empty root, whose class is `<game>-board`. */
const boards = { memory: memoryBoard, reversi: reversiBoard };

/** The style sheets of all boards, by name. */
export const boardStyles = Object.keys(boards).map((name) => `${name}-board`);

/**
 * The board of whatever game a room plays. Calls `act(cell)`; draws any state given to the function it returns.
 * @param {HTMLElement} root
 * @param {(cell: number) => void} act
 */
export function boardOf(root, act) {
  let laid = "";
  let drawBoard = (_) => {};
  gridOf(root, act);
  /** @param {{name: string, view: any, game: number, mayMove: boolean, asked: Set<number>, event?: any}} state */
  return function draw(state) {
    if (state.name !== laid) {
      laid = state.name;
      root.replaceChildren();
      root.removeAttribute("style");
      root.className = `${laid}-board`;
      drawBoard = boards[laid](root);
    }
    drawBoard(state);
  };
}
