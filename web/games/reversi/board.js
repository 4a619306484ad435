// @ts-check
import { text } from "../../texts/texts.js";
import { nameOfCell } from "./fold.js";

/** @type {import("../game.js").BoardMaker<import("./fold.js").View>} */
export function board(root) {
  root.replaceChildren(...Array.from({ length: 64 }, (_, cell) => {
    const square = document.createElement("button");
    square.type = "button";
    square.className = "reversi-square";
    square.dataset.target = String(cell);
    square.tabIndex = cell === 0 ? 0 : -1;
    square.append(document.createElement("span"));
    return square;
  }));
  let game = 0;
  /**
   * What each square was last drawn as.
   * @type {string[]}
   */
  const drawn = [];
  return function draw({ view, game: number, mayMove, asked }) {
    root.dataset.mayMove = String(mayMove);
    view.cells.forEach((holder, cell) => {
      const square = /** @type {HTMLElement} */ (root.children[cell]);
      const disc = holder === null ? "" : holder === view.black ? "black" : "white";
      // Discs turn one after another, the nearest first.
      const isTurned = number === game && square.dataset.disc !== "" && square.dataset.disc !== disc;
      const isLegal = view.legal.includes(cell), isLast = view.last?.cell === cell;
      // An unchanged square is left alone, so that no browser redraws it.
      const now = [disc, isTurned, mayMove && isLegal, isLegal, isLast, asked.has(cell)].join();
      if (number === game && drawn[cell] === now) return;
      drawn[cell] = now;
      square.style.setProperty("--wave", String(isTurned && view.last ? distance(cell, view.last.cell) : 0));
      square.dataset.disc = disc;
      square.dataset.legal = String(mayMove && isLegal);
      square.dataset.last = String(isLast);
      square.dataset.asked = String(asked.has(cell));
      square.setAttribute("aria-disabled", String(!mayMove || !isLegal));
      const what = text(`reversi.${disc || (isLegal ? "legal" : "empty")}`);
      square.setAttribute("aria-label", `${nameOfCell(cell)}, ${isLast ? text("reversi.last", { what }) : what}`);
    });
    game = number;
  };
}

/** In steps of a chess king. */
function distance(/** @type {number} */ a, /** @type {number} */ b) {
  return Math.max(Math.abs((a % 8) - (b % 8)), Math.abs(Math.floor(a / 8) - Math.floor(b / 8)));
}
