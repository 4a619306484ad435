// @ts-check
import { gameOf, moversOf } from "../games/list.js";
import { text } from "../texts/texts.js";
import { boardOf } from "./board.js";
import { write } from "./element-changes.js";
import { nameOf, whoIn } from "./names.js";
import { pointsOf } from "./players.js";
import { caption, statusLine } from "./status-line.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * One game on the wall: its board, small and not playable, its players, whose turn it is. `draw` draws any state of the
 * room.
 * @param {HTMLTemplateElement} template
 * @param {string} code
 */
export function wallTile(template, code) {
  const root = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const link = /** @type {HTMLAnchorElement} */ (part("a"));
  link.href = `/room/${encodeURIComponent(code)}`;
  link.textContent = text("wall.room", { code });
  const drawBoard = boardOf(part(".board"), () => {});
  return {
    root,
    draw(/** @type {RoomState} */ state) {
      const { room, view } = state;
      root.dataset.status = room.status;
      const shown = { name: room.game, game: room.gameNumber, mayMove: false, asked: new Set(), who: whoIn(state) };
      if (view) drawBoard({ ...shown, view });
      write(part(".say"), statusLine(state));
      write(part(".caption"), caption(state));
      part(".sides").replaceChildren(...(room.players ?? []).map((one) => side(state, one)));
    },
  };
}

function side(/** @type {RoomState} */ state, /** @type {{seat: number, player: string}} */ { seat, player }) {
  const { room, view } = state;
  const element = document.createElement("li");
  element.dataset.seat = String(seat);
  const disc = view ? gameOf(room.game).disc?.(view, seat) : undefined;
  if (disc) element.dataset.disc = disc;
  const movers = view && room.status === "running" ? moversOf(room.game, view) : [];
  element.classList.toggle("turn", movers.includes(seat));
  /**
   * @param {string} className
   * @param {string} textContent
   */
  const part = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });
  const name = part("name", nameOf(state, player));
  name.dir = "auto";
  element.append(name, part("score", String(pointsOf(state, seat) ?? "")));
  return element;
}
