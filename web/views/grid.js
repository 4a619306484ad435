// @ts-check

/**
 * What boards have in common: cells in rows and columns, which arrow keys walk over. If a board lacks a cell, in an
 * incomplete last row or a hole in its middle, keys continue to the next one beyond it, if any.
 */

/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Calls `act(cell)` for a clicked cell, and lets arrow keys walk over the cells that are not disabled. The cells are
 * `root`'s children, row by row, each with `data-cell`; `data-columns` of `root` says how many cells a row has, and
 * `data-turned` whether these rows are shown as columns. One cell at a time is in the tab order: the last that had the
 * focus.
 * @param {HTMLElement} root
 * @param {(cell: number) => void} act
 */
export function gridOf(root, act) {
  root.addEventListener("click", ({ target }) => {
    const cell = /** @type {Element} */ (target).closest("[data-cell]");
    if (cell instanceof HTMLElement) act(Number(cell.dataset.cell));
  });
  root.addEventListener("keydown", (event) => moveFocus(root, event));
  root.addEventListener("focusin", ({ target }) => {
    const before = root.querySelector("[tabindex='0']");
    if (!(target instanceof HTMLElement) || target === before || target.parentElement !== root) return;
    if (before instanceof HTMLElement) before.tabIndex = -1;
    target.tabIndex = 0;
  });
}

function moveFocus(/** @type {HTMLElement} */ root, /** @type {KeyboardEvent} */ event) {
  // A key still held down was pressed for the element that had the focus before.
  if (event.repeat && event.key === "Enter") return event.preventDefault();
  const cell = document.activeElement;
  if (!(cell instanceof HTMLElement) || cell.parentElement !== root) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const cells = /** @type {HTMLButtonElement[]} */ ([...root.children]);
  const from = cells.findIndex((one) => one === cell);
  const { columns, turned } = root.dataset;
  const next = cells[neighbour(cells, Number(columns), from, event.key, turned === "true")];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * The index of the next cell from the one at `from` in the direction of `key`, or the first or last one for Home and
 * End; -1 if there is none.
 * @param {{disabled?: boolean}[]} cells row by row; a hole is disabled
 * @param {number} columns
 * @param {number} from
 * @param {string} key
 * @param {boolean} [isTurned] rows are shown as columns
 */
export function neighbour(cells, columns, from, key, isTurned = false) {
  const isThere = (/** @type {{disabled?: boolean}} */ { disabled }) => !disabled;
  if (key === "Home") return cells.findIndex(isThere);
  if (key === "End") return cells.map(isThere).lastIndexOf(true);
  const step = STEPS[key];
  if (!step) return -1;
  const [right, down] = isTurned ? [step[1], step[0]] : step;
  let column = from % columns, row = Math.floor(from / columns);
  for (;;) {
    column += right;
    row += down;
    if (column < 0 || row < 0 || column >= columns || row * columns >= cells.length) return -1;
    const cell = cells[row * columns + column];
    if (cell && isThere(cell)) return row * columns + column;
  }
}
