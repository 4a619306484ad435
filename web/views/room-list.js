// @ts-check
import { describe } from "../games/options.js";
import { text } from "../texts.js";

const STATUS = { waiting: "list.waiting", dealing: "list.playing", running: "list.playing", ended: "list.ended" };

/**
 * The list of open rooms in `root`; draws any list given to the function it returns.
 * @param {HTMLElement} root
 * @param {HTMLElement} empty shown when there is none
 * @param {HTMLTemplateElement} template
 */
export function roomList(root, empty, template) {
  return function draw(rooms) {
    empty.hidden = rooms.length > 0;
    // Nobody loses the place that the keyboard has reached by the list's being drawn again.
    const focused = document.activeElement?.getAttribute("href");
    root.replaceChildren(...rooms.map((room) => item(template, room)));
    const link = [...root.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused);
    if (focused && link) link.focus();
  };
}

function item(template, room) {
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const link = /** @type {HTMLAnchorElement} */ (element.querySelector("a"));
  link.href = `/room/${encodeURIComponent(room.code)}`;
  put(element, ".code", room.code);
  put(element, ".what", describe(room.game, room.options).slice(0, 2).join(" · "));
  const { taken, all } = room.seats;
  put(element, ".seats", taken === all ? text("list.full") : text("list.seats", { taken, all }));
  put(element, ".state", text(STATUS[room.status] ?? room.status));
  const state = element.querySelector(".state");
  if (state instanceof HTMLElement) state.dataset.status = room.status;
  return element;
}

function put(element, selector, content) { element.querySelector(selector).textContent = content; }
