// @ts-check
import { text } from "../../texts/texts.js";
import { COLUMNS, landing, ROWS } from "./fold.js";

/** @type {import("../game.js").BoardMaker<import("./fold.js").View>} */
export function board(root) {
  root.replaceChildren(...Array.from({ length: COLUMNS * ROWS }, (_, cell) => {
    const hole = document.createElement("button");
    hole.type = "button";
    hole.className = "connect-four-hole";
    hole.dataset.target = String(cell);
    hole.tabIndex = cell === 0 ? 0 : -1;
    hole.style.setProperty("--row", String(Math.floor(cell / COLUMNS)));
    hole.append(document.createElement("span"));
    return hole;
  }));
  let game = 0, fallen = -1;
  /**
   * What each hole was last drawn as.
   * @type {string[]}
   */
  const drawn = [];
  return function draw({ view, game: number, mayMove, asked, event }) {
    root.dataset.mayMove = String(mayMove);
    // Only a newly dropped disc falls. After joining or scrubbing, discs lie where they are.
    if (event?.type === "drop-disc") fallen = event.cell;
    else if (view.cells[fallen] === null) fallen = -1;
    view.cells.forEach((holder, cell) => {
      const hole = /** @type {HTMLElement} */ (root.children[cell]);
      const goesTo = landing(view, cell);
      const isLine = view.line?.includes(cell) ?? false, isLast = view.last === cell && !view.line;
      const falls = cell === fallen;
      const isAsked = goesTo === cell && [...asked].some((other) => other % COLUMNS === cell % COLUMNS);
      const isLanding = mayMove && goesTo === cell, isOpen = mayMove && goesTo !== undefined;
      // An unchanged hole is left alone, so that no browser redraws it.
      const now = [holder, isLine, isLast, falls, isAsked, isLanding, isOpen].join();
      if (number === game && drawn[cell] === now) return;
      drawn[cell] = now;
      if (holder === null) delete hole.dataset.seat;
      else hole.dataset.seat = String(holder);
      hole.dataset.falls = String(falls);
      hole.dataset.line = String(isLine);
      hole.dataset.last = String(isLast);
      hole.dataset.asked = String(isAsked);
      hole.dataset.landing = String(isLanding);
      hole.setAttribute("aria-disabled", String(!isOpen));
      const disc = holder === null ? text("connect-four.empty") : text("connect-four.disc", { seat: holder + 1 });
      const what = isLine ? text("connect-four.in-line", { what: disc })
        : isLast ? text("connect-four.last", { what: disc }) : disc;
      const [column, row] = [(cell % COLUMNS) + 1, ROWS - Math.floor(cell / COLUMNS)];
      hole.setAttribute("aria-label", text("connect-four.hole", { column, row, what }));
    });
    game = number;
  };
}
