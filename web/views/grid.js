// @ts-check

/**
 * What boards have in common: cells in rows and columns, which arrow keys walk over. Where a board has no cell, in a
 * last row that is not full or by a hole in its middle, keys go on to the next one behind it, if there is any.
 */

/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Calls `act(cell)` for a cell that is clicked, and lets arrow keys walk over those that are not disabled. The cells
 * are `root`'s children, row by row, each with `data-cell`; `data-columns` of `root` says how many stand side by side.
 * One cell at a time is in the tab order.
 * @param {HTMLElement} root
 * @param {(cell: number) => void} act
 */
export function gridOf(root, act) {
  root.addEventListener("click", ({ target }) => {
    const cell = /** @type {Element} */ (target).closest("[data-cell]");
    if (cell instanceof HTMLElement) act(Number(cell.dataset.cell));
  });
  root.addEventListener("keydown", (event) => moveFocus(root, event));
}

function moveFocus(/** @type {HTMLElement} */ root, /** @type {KeyboardEvent} */ event) {
  const cell = document.activeElement;
  if (!(cell instanceof HTMLElement) || cell.parentElement !== root) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const cells = /** @type {HTMLButtonElement[]} */ ([...root.children]);
  const from = cells.findIndex((one) => one === cell);
  const next = cells[neighbour(cells, Number(root.dataset.columns), from, event.key)];
  if (!next) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/**
 * The place of the next cell from the one at `from` in the direction of `key`, or the first or last one for Home and
 * End; -1 where there is none.
 * @param {{disabled?: boolean}[]} cells row by row; a hole is disabled
 * @param {number} columns
 * @param {number} from
 * @param {string} key
 */
export function neighbour(cells, columns, from, key) {
  const isThere = (/** @type {{disabled?: boolean}} */ { disabled }) => !disabled;
  if (key === "Home") return cells.findIndex(isThere);
  if (key === "End") return cells.map(isThere).lastIndexOf(true);
  const step = STEPS[key];
  if (!step) return -1;
  let column = from % columns, row = Math.floor(from / columns);
  for (;;) {
    column += step[0];
    row += step[1];
    if (column < 0 || row < 0 || column >= columns || row * columns >= cells.length) return -1;
    const cell = cells[row * columns + column];
    if (cell && isThere(cell)) return row * columns + column;
  }
}
