// @ts-check
import { isComputer, seatedIn } from "../games/room.js";
import { isolated, text } from "../texts/texts.js";
import { nameOf } from "./names.js";

/** @typedef {(type: "mute" | "ban", fields: {player: string, on: boolean}) => void} Command */

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Everybody in a room but its host, in `root`, with what the host may do about each; draws any state given to the
 * function it returns.
 * @param {HTMLElement} root
 * @param {(type: "mute" | "ban", fields: {player: string, on: boolean}) => void} command
 */
export function peopleList(root, command) {
  let last = "";
  return function draw(/** @type {RoomState} */ state) {
    const { room, presence, chat, names, you } = state;
    // In a crowd only those with a seat are listed by the hub: others who chat are here, too.
    const heard = chat.map(({ from }) => from);
    const now = JSON.stringify([room.seats, presence.players, room.muted, room.banned, heard, names]);
    if (now === last) return;
    last = now;
    const held = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.act;
    const seated = room.seats.flatMap(({ player }) => (player && !isComputer(player) ? [player] : []));
    const all = [...seated, ...presence.players, ...heard, ...(room.muted ?? []), ...(room.banned ?? [])];
    const others = [...new Set(all)].filter((player) => player !== you.player);
    const empty = Object.assign(document.createElement("li"), { className: "empty", textContent: text("host.nobody") });
    root.replaceChildren(...(others.length > 0 ? others.map((player) => item(state, player, command)) : [empty]));
    // The keyboard stays with the button that was pressed, though it says the contrary now.
    const again = [...root.querySelectorAll("button")].find((button) => button.dataset.act === held);
    if (held) again?.focus();
  };
}

/** Whether the hub says of this player, while there are many, whether they are here. */
const isListed = (/** @type {RoomState} */ { room, chat }, /** @type {string} */ player) =>
  seatedIn(room).includes(player) || !chat.some(({ from }) => from === player);

function item(/** @type {RoomState} */ state, /** @type {string} */ player, /** @type {Command} */ command) {
  const { room, presence } = state;
  const element = document.createElement("li");
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = isolated(nameOf(state, player));
  const isMuted = Boolean(room.muted?.includes(player)), isBanned = Boolean(room.banned?.includes(player));
  const note = document.createElement("small");
  const notes = [isBanned && text("host.is-banned"), isMuted && text("host.is-muted"),
    isListed(state, player) && !presence.players.includes(player) && text("player.offline")];
  note.textContent = notes.filter(Boolean).join(" · ");
  if (note.textContent) name.append(" ", note);
  element.append(name);
  for (const [type, isOn] of /** @type {["mute" | "ban", boolean][]} */ ([["mute", isMuted], ["ban", isBanned]])) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.dataset.act = `${type} ${player}`;
    button.textContent = text(`host.${isOn ? `un${type}` : type}`);
    button.setAttribute("aria-label", `${button.textContent}: ${isolated(nameOf(state, player))}`);
    button.addEventListener("click", () => command(type, { player, on: !isOn }));
    element.append(button);
  }
  return element;
}
