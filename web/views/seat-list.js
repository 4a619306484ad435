// @ts-check
import { games, isComputer } from "../games/room.js";
import { text } from "../texts.js";
import { levelText, nameOf } from "./names.js";

/**
 * All seats of a room in `root`, with what its host may do to each; draws any state given to the function it returns.
 * @param {HTMLElement} root
 * @param {(type: string, fields: object) => void} command
 */
export function seatList(root, command) {
  let last = "";
  return function draw(state) {
    const { room, presence, view } = state;
    // Drawn anew only when something has changed: nobody's choice is lost while they make it.
    const now = JSON.stringify([room.seats, room.status, presence.players, view?.away, view?.lost]);
    if (now === last) return;
    last = now;
    root.replaceChildren(...room.seats.map((seat) => item(state, seat, command)));
  };
}

function item(state, { seat, player, bot, helped }, command) {
  const { room } = state;
  const element = document.createElement("li");
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = `${seat + 1}. ${player === undefined ? text("seats.free") : nameOf(state, player)}`;
  element.append(name);
  const isRunning = room.status === "running";
  const isAbsent = player !== undefined && !isComputer(player) && isGone(state, seat, player);
  if (player !== undefined && (!isRunning || isComputer(player) || isAbsent)) {
    element.append(button(text("seats.free-it"), () => command("free", { seat })));
  }
  const mayHelp = isRunning && isAbsent;
  if (player === undefined || mayHelp || (bot && !isRunning)) {
    const levels = document.createElement("select");
    levels.setAttribute("aria-label", text("seats.level-of", { seat: seat + 1 }));
    const names = games[room.game]?.levels ?? [];
    levels.append(...names.map((level) => new Option(levelText(room.game, level), level)));
    levels.value = bot ?? helped ?? names[Math.floor(names.length / 2)];
    const label = text(mayHelp ? "seats.help" : bot ? "seats.replace" : "seats.add");
    element.append(levels, button(label, () => command("bot", { seat, level: levels.value })));
  }
  return element;
}

const isGone = ({ view, presence }, seat, player) => view?.away?.includes(seat) || !presence.players.includes(player);

function button(label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "small";
  element.textContent = label;
  element.addEventListener("click", act);
  return element;
}
