// @ts-check
import { spoken, text } from "../texts.js";
import { nameOf } from "./names.js";

/** What can be sent with one press. */
export const REACTIONS = ["👍", "👏", "😄", "😮", "😢", "🤔", "🎉", "❤️"];

/**
 * The lines of a room's chat. Draws any state, without the lines of `hushed`, given to the function it returns.
 * @param {{lines: HTMLElement, hushed: HTMLElement}} parts
 * @param {(player: string, isOn: boolean) => void} hush
 */
export function chatLines({ lines: root, hushed: list }, hush) {
  let drawn = "";
  return function draw(state, hushed) {
    const lines = state.chat.filter(({ from }) => !hushed.includes(from));
    const absent = [...new Set(state.chat.map(({ from }) => from))].filter((player) => hushed.includes(player));
    const now = JSON.stringify([lines, absent, state.names, state.room.seats]);
    if (now === drawn) return;
    drawn = now;
    const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - 40;
    // Lines that stay keep their elements: a reader is told of the new one only.
    const wanted = lines.map((line) => JSON.stringify([line, nameOf(state, line.from), seatOf(state, line.from)]));
    const kept = new Map([...root.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.line, child]));
    for (const [key, child] of kept) if (!wanted.includes(key ?? "")) child.remove();
    lines.forEach((line, index) => {
      const element = kept.get(wanted[index]) ?? item(state, line, wanted[index], hush);
      if (root.children[index] !== element) root.insertBefore(element, root.children[index] ?? null);
    });
    if (isAtEnd) root.scrollTop = root.scrollHeight;
    list.hidden = absent.length === 0;
    list.replaceChildren(...absent.map((player) => {
      const name = nameOf(state, player);
      const label = text("chat.unhush", { name });
      return button("plain small", text("chat.hushed", { name }), label, () => hush(player, false));
    }));
  };
}

const seatOf = ({ room }, player) => room.seats.find((seat) => seat.player === player)?.seat;

function item(state, { from, text: said, t }, key, hush) {
  const element = document.createElement("div");
  element.className = "chat-line";
  element.dataset.line = key;
  const name = document.createElement("b");
  name.textContent = from === state.you.player ? text("you") : nameOf(state, from);
  const seat = seatOf(state, from);
  if (seat !== undefined) name.dataset.seat = String(seat);
  const words = document.createElement("span");
  words.textContent = said;
  const time = document.createElement("time");
  time.dateTime = new Date(t).toISOString();
  time.textContent = new Date(t).toLocaleTimeString(spoken(), { hour: "2-digit", minute: "2-digit" });
  element.append(name, time, words);
  if (from !== state.you.player) {
    const label = text("chat.hush", { name: nameOf(state, from) });
    element.append(button("plain hush", "✕", label, () => hush(from, true)));
  }
  return element;
}

function button(className, words, label, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = words;
  element.title = label;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", act);
  return element;
}
