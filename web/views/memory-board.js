// @ts-check

/** The colours that themes name; one that is not here is drawn in the page's own. */
const COLOURS = {
  red: "#e5484d", rose: "#e93d82", orange: "#f76b15", amber: "#f5a524", lime: "#86b817", green: "#30a46c",
  teal: "#12a594", cyan: "#05a2c2", blue: "#3e63dd", indigo: "#5b5bd6", violet: "#8e4ec6", slate: "#60646c",
};

/** How long a card takes to turn, as in the style sheet: its face stays until it cannot be seen any more. */
const TURN = 360;

/**
 * A Memory board in `root`. Calls `flip(cell)`; draws any state given to the function it returns.
 * @param {HTMLElement} root
 * @param {HTMLTemplateElement} template
 * @param {(cell: number) => void} flip
 */
export function memoryBoard(root, template, flip) {
  root.addEventListener("click", ({ target }) => {
    const card = /** @type {Element} */ (target).closest("[data-cell]");
    if (card instanceof HTMLElement) flip(Number(card.dataset.cell));
  });
  root.addEventListener("keydown", (event) => moveFocus(root, event));

  let game = -1;
  /** @param {{view: import("../games/memory.js").View, number: number, mayFlip: boolean}} state */
  return function draw({ view, number, mayFlip }) {
    if (number !== game || root.children.length !== view.cells.length) {
      game = number;
      lay(root, template, view);
    }
    const [first, second = first] = view.theme.colour;
    root.style.setProperty("--card-from", COLOURS[first] ?? "var(--accent)");
    root.style.setProperty("--card-to", COLOURS[second] ?? COLOURS[first] ?? "var(--accent-two)");
    root.dataset.matched = view.options.matched;
    root.dataset.mayFlip = String(mayFlip);
    const miss = view.revealUntil !== undefined;
    view.cells.forEach((card, cell) => drawCard(root.children[cell], card, cell, miss && view.up.includes(cell)));
  };
}

function lay(root, template, view) {
  root.style.setProperty("--columns", view.columns);
  root.style.setProperty("--rows", view.rows);
  root.dataset.columns = view.columns;
  root.replaceChildren(...view.cells.map((card, cell) => {
    const element = template.content.firstElementChild.cloneNode(true);
    element.dataset.cell = cell;
    element.tabIndex = cell === 0 ? 0 : -1;
    return element;
  }));
}

function drawCard(element, card, cell, isMiss) {
  const front = element.querySelector(".front");
  const was = element.dataset.side;
  element.dataset.side = card.state;
  element.classList.toggle("miss", isMiss);
  element.disabled = card.state === "gap";
  if (card.face !== undefined) {
    front.textContent = card.face;
    front.classList.toggle("long", card.face.length > 2 && /^\w+$/.test(card.face));
  } else if (was === "up") {
    setTimeout(() => { if (element.dataset.side === "down") front.textContent = ""; }, TURN);
  } else if (was !== "down") {
    front.textContent = "";
  }
  const what = { down: "face down", up: card.face, won: `${card.face}, won`, gap: "no card" }[card.state];
  element.setAttribute("aria-label", `Card ${cell + 1}, ${what}`);
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Arrow keys walk over the board; one card at a time is in the tab order. */
function moveFocus(root, event) {
  const step = STEPS[event.key];
  const card = document.activeElement;
  if (!step || !(card instanceof HTMLElement) || card.parentElement !== root) return;
  event.preventDefault();
  const columns = Number(root.dataset.columns), rows = root.children.length / columns;
  let column = Number(card.dataset.cell) % columns, row = Math.floor(Number(card.dataset.cell) / columns);
  do {
    column += step[0];
    row += step[1];
    if (column < 0 || row < 0 || column >= columns || row >= rows) return;
  } while (root.children[row * columns + column].disabled);
  const next = root.children[row * columns + column];
  card.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
