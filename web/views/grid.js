// @ts-check

/** What boards have in common: cells in rows and columns, which arrow keys walk over. */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Calls `act(cell)` for a cell that is clicked, and lets arrow keys walk over those that are not disabled. The cells
 * are `root`'s children, in order, each with `data-cell`; `data-columns` of `root` says how many stand side by side.
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

function moveFocus(root, event) {
  const cell = document.activeElement;
  if (!(cell instanceof HTMLElement) || cell.parentElement !== root) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const next = neighbour(root, Number(cell.dataset.cell), event.key);
  if (!next) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The next cell from `cell` in the direction of `key`, passing over a gap; the first or last one for Home and End. */
function neighbour(root, cell, key) {
  const cells = /** @type {HTMLButtonElement[]} */ ([...root.children]);
  if (key === "Home") return cells.find(({ disabled }) => !disabled);
  if (key === "End") return cells.filter(({ disabled }) => !disabled).at(-1);
  const step = STEPS[key];
  if (!step) return undefined;
  const columns = Number(root.dataset.columns), rows = cells.length / columns;
  let column = cell % columns, row = Math.floor(cell / columns);
  do {
    column += step[0];
    row += step[1];
    if (column < 0 || row < 0 || column >= columns || row >= rows) return undefined;
  } while (cells[row * columns + column].disabled);
  return cells[row * columns + column];
}
