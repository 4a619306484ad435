// @ts-check
import { text } from "../texts.js";
import { boardOf } from "./boards.js";
import { nameOf } from "./names.js";
import { situation } from "./situation.js";

/**
 * One game on the wall: its board, small and not to be played, its players, whose turn it is. `draw` draws any state of
 * the room.
 * @param {HTMLTemplateElement} template
 * @param {string} code
 */
export function wallTile(template, code) {
  const root = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const part = (selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const link = /** @type {HTMLAnchorElement} */ (part("a"));
  link.href = `/room/${encodeURIComponent(code)}`;
  link.textContent = text("wall.room", { code });
  const drawBoard = boardOf(part(".board"), () => {});
  return {
    root,
    draw(state) {
      const { room, view } = state;
      root.dataset.status = room.status;
      if (view) drawBoard({ name: room.game, view, game: room.gameNumber, mayMove: false, asked: new Set() });
      const said = situation(state);
      if (part(".say").textContent !== said) part(".say").textContent = said;
      part(".sides").replaceChildren(...(room.players ?? []).map((one) => side(state, one)));
    },
  };
}

function side(state, { seat, player }) {
  const { room, view } = state;
  const element = document.createElement("li");
  element.dataset.seat = String(seat);
  element.classList.toggle("turn", room.status === "running" && view?.turn === seat);
  for (const [className, content] of [
    ["name", nameOf(state, player)], ["score", String((view?.scores ?? view?.counts)?.[seat] ?? "")],
  ]) {
    element.append(Object.assign(document.createElement("span"), { className, textContent: content }));
  }
  return element;
}
