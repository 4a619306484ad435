// @ts-check
import { gameOf } from "../games/list.js";

/** Most marks on a track; past it, only the beginnings and ends of games. */
const MARK_LIMIT = 300;
const GAMES = ["game-started", "game-ended"];
/**
 * Marks of any game; a game has its own `marks` too.
 * @type {Record<string, "gain" | "loss">}
 */
const MARKS = { "player-left": "loss", "turn-expired": "loss" };

/** @typedef {import("../games/room.js").RecordedEvent} RecordedEvent */

/**
 * A range over the versions of a room, with marks at important events. Draws any position given to the returned
 * function.
 * @param {HTMLInputElement} range
 * @param {HTMLElement} marks
 */
export function track(range, marks) {
  let marked = 0;
  /** @param {{version: number, events: RecordedEvent[], sentence: string}} position */
  return function draw({ version, events, sentence }) {
    const { game } = /** @type {import("../net/messages.js").EventRoomOpened} */ (events[0]);
    const kinds = { ...MARKS, ...gameOf(game).marks };
    if (events.length !== marked) {
      marked = events.length;
      marks.replaceChildren(...chosen(events, kinds).map((event) => mark(event, events.length, kinds)));
    }
    range.max = String(events.length);
    range.value = String(version);
    range.setAttribute("aria-valuetext", `${version}. ${sentence}`);
    range.style.setProperty("--at", share(version, events.length));
  };
}

/**
 * @param {number} version
 * @param {number} count
 */
const share = (version, count) => (count > 1 ? (version - 1) / (count - 1) : 0).toFixed(4);

function chosen(/** @type {RecordedEvent[]} */ events, /** @type {Record<string, string>} */ kinds) {
  const all = events.filter(({ type }) => GAMES.includes(type) || type in kinds);
  return all.length <= MARK_LIMIT ? all : all.filter(({ type }) => GAMES.includes(type)).slice(-MARK_LIMIT);
}

/**
 * @param {RecordedEvent} event
 * @param {number} count of all events
 * @param {Record<string, string>} kinds
 */
function mark(event, count, kinds) {
  const element = document.createElement("i"), { v, type } = event;
  element.dataset.type = type;
  if (type in kinds) element.dataset.kind = kinds[type];
  if ("seat" in event) element.dataset.seat = String(event.seat);
  element.style.setProperty("--at", share(v, count));
  return element;
}
