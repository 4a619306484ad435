// @ts-check
import { spoken, text } from "../texts/texts.js";
import { nameOf } from "./names.js";
import { sign } from "./sign.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** An eye, crossed out. */
const HIDE = "M2.5 12C4.5 8 8 6 12 6s7.5 2 9.5 6c-2 4-5.5 6-9.5 6s-7.5-2-9.5-6zM4 4l16 16";
/** Reactions that one press sends. */
export const REACTIONS = ["👍", "👏", "😄", "😮", "😢", "🤔", "🎉", "❤️"];

/**
 * The lines of a room's chat. Draws any state, without the lines of `hushed`, given to the returned function.
 * @param {{lines: HTMLElement, hushed: HTMLElement}} parts
 * @param {(player: string, isOn: boolean) => void} hush
 */
export function chatLines({ lines: root, hushed: list }, hush) {
  let drawn = "";
  /** @type {Map<string, ReturnType<typeof item>>} */
  let shown = new Map();
  return function draw(/** @type {RoomState} */ state, /** @type {string[]} */ hushed) {
    const lines = state.chat.filter(({ from }) => !hushed.includes(from));
    const absent = [...new Set(state.chat.map(({ from }) => from))].filter((player) => hushed.includes(player));
    const now = JSON.stringify([lines, absent, state.names, state.room.seats, state.you.player]);
    if (now === drawn) return;
    drawn = now;
    const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - 40;
    const before = shown;
    // A line keeps its element even if its author's name changes: a screen reader should announce only new lines.
    shown = new Map(lines.map((line) => {
      const key = `${line.t} ${line.from} ${line.text}`;
      return [key, before.get(key) ?? item(line, hush)];
    }));
    for (const [key, { element }] of before) if (!shown.has(key)) element.remove();
    [...shown.values()].forEach(({ element, draw }, index) => {
      draw(state);
      if (root.children[index] !== element) root.insertBefore(element, root.children[index] ?? null);
    });
    if (isAtEnd) root.scrollTop = root.scrollHeight;
    list.hidden = absent.length === 0;
    list.replaceChildren(...absent.map((player) => {
      const name = nameOf(state, player);
      const called = text("chat.unhush", { name });
      return button("plain small", text("chat.hushed", { name }), called, () => hush(player, false));
    }));
  };
}

/**
 * A line, and how to draw its author.
 * @param {RoomState["chat"][number]} line
 * @param {(player: string, isOn: boolean) => void} hush
 */
function item({ from, text: said, t }, hush) {
  const element = document.createElement("div");
  element.className = "chat-line";
  const name = document.createElement("b"), words = document.createElement("span");
  name.dir = words.dir = "auto";
  words.textContent = said;
  const time = document.createElement("time");
  time.dateTime = new Date(t).toISOString();
  time.textContent = new Date(t).toLocaleTimeString(spoken(), { hour: "2-digit", minute: "2-digit" });
  const hide = button("plain hush", "", "", () => hush(from, true));
  hide.append(sign(HIDE));
  element.append(name, time, words, hide);
  return {
    element,
    draw(/** @type {RoomState} */ state) {
      const known = nameOf(state, from), isYou = from === state.you.player, shown = isYou ? text("you") : known;
      if (name.textContent !== shown) name.textContent = shown;
      const seat = state.room.seats.find(({ player }) => player === from)?.seat;
      if (seat === undefined) delete name.dataset.seat;
      else name.dataset.seat = String(seat);
      hide.hidden = isYou;
      label(hide, text("chat.hush", { name: known }));
    },
  };
}

/**
 * @param {string} className
 * @param {string} words
 * @param {string} called
 * @param {() => void} act
 */
function button(className, words, called, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = words;
  label(element, called);
  element.addEventListener("click", act);
  return element;
}

function label(/** @type {HTMLElement} */ element, /** @type {string} */ called) {
  element.title = called;
  element.setAttribute("aria-label", called);
}
