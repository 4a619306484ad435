// @ts-check
import { gameOf } from "../games/list.js";
import { isComputer } from "../games/room.js";
import { isolated, text } from "../texts/texts.js";
import { levelText, nameOf } from "./names.js";

/** @typedef {(type: string, fields: object) => void} Command */

/** @typedef {import("../games/room.js").Room} Room */
/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * All seats of a room in `root`, with what the host may do to each; draws any state given to the returned function.
 * @param {HTMLElement} root
 * @param {(type: string, fields: object) => void} command
 */
export function seatList(root, command) {
  let stamps = /** @type {string[]} */ ([]);
  return function draw(/** @type {RoomState} */ state) {
    const { seats } = state.room, before = stamps;
    stamps = seats.map((seat) => JSON.stringify(factsOf(state, seat)));
    while (root.children.length > seats.length) root.lastElementChild?.remove();
    stamps.forEach((stamp, index) => {
      const old = /** @type {HTMLElement | undefined} */ (root.children[index]);
      if (old && stamp === before[index]) return;
      const next = item(state, seats[index], command);
      if (old) replace(old, next);
      else root.append(next);
    });
  };
}

/** Replaces `old` by `next`; the focus stays there, and so does an unsaved choice of level. */
function replace(/** @type {HTMLElement} */ old, /** @type {HTMLElement} */ next) {
  const held = /** @type {HTMLElement} */ (document.activeElement), hadFocus = old.contains(held);
  const level = old.querySelector("select")?.value, levels = next.querySelector("select");
  old.replaceWith(next);
  if (level && levels) levels.value = level;
  if (!hadFocus) return;
  const again = /** @type {HTMLElement | null} */ (next.querySelector(`[data-act="${held.dataset.act}"]`));
  (again ?? next.querySelector("button"))?.focus();
}

/** Everything that the look of a seat depends on. */
function factsOf(/** @type {RoomState} */ state, /** @type {Room["seats"][0]} */ { seat, player, bot, helped }) {
  const isAbsent = player !== undefined && !isComputer(player) && isGone(state, seat, player);
  const name = player === undefined ? text("seats.free") : nameOf(state, player);
  return { player, name, bot, helped, isAbsent, isRunning: state.room.status === "running" };
}

function item(/** @type {RoomState} */ state, /** @type {Room["seats"][0]} */ place, /** @type {Command} */ command) {
  const { room } = state, { seat, player, bot, helped } = place;
  const { name, isAbsent, isRunning } = factsOf(state, place);
  const element = document.createElement("li"), title = document.createElement("span");
  title.className = "name";
  title.textContent = `${seat + 1}. ${isolated(name)}`;
  element.append(title);
  if (player !== undefined && (!isRunning || isComputer(player) || isAbsent)) {
    element.append(button("free", text("seats.free-it"), () => command("free", { seat })));
  }
  const mayHelp = isRunning && isAbsent;
  if (player === undefined || mayHelp || (bot && !isRunning)) {
    const levels = document.createElement("select");
    levels.dataset.act = "level";
    levels.setAttribute("aria-label", text("seats.level-of", { seat: seat + 1 }));
    const names = gameOf(room.game).levels;
    levels.append(...names.map((level) => new Option(levelText(room.game, level), level)));
    levels.value = bot ?? helped ?? names[Math.floor(names.length / 2)];
    const label = text(mayHelp ? "seats.help" : bot ? "seats.replace" : "seats.add");
    element.append(levels, button("bot", label, () => command("bot", { seat, level: levels.value })));
  }
  return element;
}

/**
 * @param {RoomState} state
 * @param {number} seat
 * @param {string} player
 */
const isGone = ({ view, presence }, seat, player) => view?.away?.includes(seat) || !presence.players.includes(player);

function button(/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "small";
  element.dataset.act = name;
  element.textContent = label;
  element.addEventListener("click", act);
  return element;
}
