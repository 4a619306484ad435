// @ts-check
import { describe } from "../games/options.js";
import { text } from "../texts/texts.js";

/** @typedef {import("../net/lobby.js").Room} Room */

/** @type {Record<string, string>} */
const STATUS = { waiting: "list.waiting", dealing: "list.playing", running: "list.playing", ended: "list.ended" };
/** So many rooms are shown before somebody asks for more. */
const FEW = 8;

/**
 * The list of open rooms in `root`; draws any list given to the function it returns. `empty` is shown when there is
 * none, the button `more` when not all are shown.
 * @param {HTMLElement} root
 * @param {{empty: HTMLElement, more: HTMLButtonElement, template: HTMLTemplateElement}} parts
 */
export function roomList(root, { empty, more, template }) {
  /** @type {Map<string, HTMLElement>} */
  let items = new Map();
  let last = /** @type {import("../net/lobby.js").Room[]} */ ([]), showsAll = false;
  const draw = (/** @type {import("../net/lobby.js").Room[]} */ rooms) => {
    last = rooms;
    const sorted = inOrder(rooms), shown = showsAll ? sorted : sorted.slice(0, FEW);
    empty.hidden = rooms.length > 0;
    more.hidden = shown.length === sorted.length;
    more.textContent = text("home.more-rooms", { count: sorted.length - shown.length });
    // Nobody loses the place that the keyboard has reached by the list's being drawn again.
    const focused = document.activeElement;
    const elements = new Map(shown.map((room) => [room.code, items.get(room.code) ?? clone(template)]));
    shown.forEach((room, index) => {
      const element = /** @type {HTMLElement} */ (elements.get(room.code));
      fill(element, room);
      if (root.children[index] !== element) root.insertBefore(element, root.children[index] ?? null);
    });
    for (const element of [...root.children].slice(shown.length)) element.remove();
    if (focused instanceof HTMLElement && focused !== document.activeElement && root.contains(focused)) focused.focus();
    items = elements;
  };
  more.addEventListener("click", () => {
    showsAll = true;
    draw(last);
    root.children[FEW]?.querySelector("a")?.focus();
  });
  return draw;
}

/** Those where one can sit down come first, then those with something to see; where nobody is, last. */
function inOrder(/** @type {Room[]} */ rooms) {
  const rank = (/** @type {Room} */ room) => {
    if (room.present === 0) return 3;
    return room.status === "waiting" && room.seats.taken < room.seats.all ? 0 : room.status === "running" ? 1 : 2;
  };
  return [...rooms].sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {HTMLTemplateElement} template
 */
const clone = (template) => /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));

function fill(/** @type {HTMLElement} */ element, /** @type {Room} */ room) {
  const link = /** @type {HTMLAnchorElement} */ (element.querySelector("a"));
  link.href = `/room/${encodeURIComponent(room.code)}`;
  put(element, ".code", room.code);
  put(element, ".what", describe(room.game, room.options).slice(0, 2).join(" · "));
  const { taken, all } = room.seats;
  const seats = taken === all ? text("list.full") : text("list.seats", { taken, all });
  const watched = room.spectators > 0 ? text("home.watched", { count: room.spectators }) : "";
  put(element, ".seats", [seats, watched].filter(Boolean).join(" · "));
  put(element, ".state", text(room.present === 0 ? "home.nobody" : STATUS[room.status] ?? room.status));
  const state = element.querySelector(".state");
  if (state instanceof HTMLElement) state.dataset.status = room.present === 0 ? "empty" : room.status;
}

/** Only what has changed is written: a screen reader that reads the list is not interrupted. */
function put(/** @type {HTMLElement} */ element, /** @type {string} */ selector, /** @type {string} */ content) {
  const part = element.querySelector(selector);
  if (part && part.textContent !== content) part.textContent = content;
}
