// @ts-check
import { text } from "../../texts/texts.js";
import { linesOf, sidesWith } from "./fold.js";

/** @typedef {import("./fold.js").View} View */

/** @type {import("../game.js").BoardMaker<View>} */
export function board(root) {
  let game = 0, size = 0;
  /**
   * What each line was last drawn as.
   * @type {string[]}
   */
  let drawn = [];
  return function draw({ view, game: number, mayMove, asked, event }) {
    if (view.size !== size) {
      size = view.size;
      drawn = [];
      lay(root, size);
    }
    root.dataset.mayMove = String(mayMove);
    const isNew = event?.type === "draw-line" && number === game;
    view.lines.forEach((seat, line) => {
      const isLast = view.last === line, isAsked = asked.has(line), isOpen = mayMove && seat === null;
      const grows = isLast && isNew, sides = seat === null ? sidesWith(view, line) : 0;
      // An unchanged line is left alone, so that no browser redraws it.
      const now = [seat, isLast, isAsked, isOpen, grows, sides].join();
      if (number === game && drawn[line] === now) return;
      drawn[line] = now;
      const element = /** @type {HTMLElement} */ (root.querySelector(`[data-target="${line}"]`));
      own(element, seat);
      element.dataset.last = String(isLast);
      element.dataset.asked = String(isAsked);
      element.dataset.grows = String(grows);
      element.setAttribute("aria-disabled", String(!isOpen));
      element.setAttribute("aria-label", labelOf(view, line, sides));
    });
    view.boxes.forEach((seat, box) => own(/** @type {HTMLElement} */ (root.children[box]), seat));
    game = number;
  };
}

/** Boxes, lines on their sides, and dots on their corners. */
function lay(/** @type {HTMLElement} */ root, /** @type {number} */ size) {
  root.style.setProperty("--boxes", String(size - 1));
  const boxes = Array.from({ length: (size - 1) ** 2 }, (_, box) =>
    place(document.createElement("span"), "box", box % (size - 1), Math.floor(box / (size - 1))));
  const lines = linesOf(size).map(({ column, row, lies }, line) => {
    const button = place(document.createElement("button"), "line", column, row);
    button.type = "button";
    button.dataset.target = String(line);
    button.dataset.lies = String(lies);
    button.tabIndex = line === 0 ? 0 : -1;
    button.append(document.createElement("span"));
    return button;
  });
  const dots = Array.from({ length: size ** 2 }, (_, dot) =>
    place(document.createElement("span"), "dot", dot % size, Math.floor(dot / size)));
  root.replaceChildren(...boxes, ...lines, ...dots);
}

/**
 * @template {HTMLElement} Kind
 * @param {Kind} element
 * @param {string} name
 * @param {number} column
 * @param {number} row
 * @returns {Kind}
 */
function place(element, name, column, row) {
  element.className = `dots-and-boxes-${name}`;
  element.style.setProperty("--column", String(column));
  element.style.setProperty("--row", String(row));
  return element;
}

function own(/** @type {HTMLElement} */ element, /** @type {number | null} */ seat) {
  if (seat === null) delete element.dataset.seat;
  else if (element.dataset.seat !== String(seat)) element.dataset.seat = String(seat);
}

/**
 * For those who cannot see the board, also whether an open line wins a box, or lets the next player win one.
 * @param {View} view
 * @param {number} line
 * @param {number} sides
 */
function labelOf({ size, lines, last }, line, sides) {
  const { column, row, lies } = linesOf(size)[line], seat = lines[line];
  const open = sides === 4 ? "dots-and-boxes.wins" : sides === 3 ? "dots-and-boxes.third" : "dots-and-boxes.open";
  const what = seat === null ? text(open) : text("dots-and-boxes.drawn", { seat: seat + 1 });
  const place = { column: column + 1, row: row + 1 };
  return text(`dots-and-boxes.${lies ? "lying" : "standing"}`,
    { ...place, what: line === last ? text("dots-and-boxes.last", { what }) : what });
}
