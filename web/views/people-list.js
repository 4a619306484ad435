// @ts-check
import { isComputer, seatedIn } from "../games/room.js";
import { isolated, text } from "../texts/texts.js";
import { nameOf } from "./names.js";

/** @typedef {(type: "mute" | "ban", fields: {player: string, on: boolean}) => void} Command */

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Everyone in a room except its host, in `root`, with what the host may do to each; draws any state given to the
 * returned function.
 * @param {HTMLElement} root
 * @param {(type: "mute" | "ban", fields: {player: string, on: boolean}) => void} command
 */
export function peopleList(root, command) {
  let last = "";
  return function draw(/** @type {RoomState} */ state) {
    const { room, presence, chat, names, you } = state;
    // In a crowd the hub lists only those with a seat. Others who chat are here too.
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
    // The focus stays on the pressed button, though it now says the opposite.
    const again = [...root.querySelectorAll("button")].find((button) => button.dataset.act === held);
    if (held) again?.focus();
  };
}

/** Whether the hub reports this player's presence even in a crowd. */
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
