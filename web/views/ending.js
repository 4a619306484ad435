// @ts-check
import { games } from "../games/list.js";
import { duration } from "../games/options.js";
import { DECIDED } from "../games/sentences.js";
import { about, has, text } from "../texts/texts.js";
import { nameOf, whoOfSeat } from "./names.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../net/messages.js").Result} Result */

const MEDALS = ["🥇", "🥈", "🥉"];

/**
 * The end of a game: places by score, equal scores share one. Draws any state given to the function it returns.
 * @param {{root: HTMLElement, title: HTMLElement, detail: HTMLElement, places: HTMLElement, hint: HTMLElement}} parts
 */
export function ending({ root, title, detail, places, hint }) {
  return function draw(/** @type {RoomState} */ state, /** @type {boolean} */ isShown) {
    const results = placed(state.room.results ?? []);
    // Of a game that had a fault there are no results, but a word is due.
    root.hidden = !isShown || (results.length === 0 && state.room.reason !== "fault");
    if (root.hidden) return;
    title.textContent = headline(state, results);
    detail.textContent = remark(state, results);
    hint.textContent = state.you.isHost || state.room.status === "closed" ? "" : hintFor(state);
    const isDecided = DECIDED.includes(state.room.reason ?? "");
    places.replaceChildren(...results.map((result) => item(state, result, results.length > 1, isDecided)));
  };
}

/** Best first. */
const placed = (/** @type {Result[]} */ results) => [...results].sort((a, b) => a.place - b.place || b.score - a.score);

function headline(/** @type {RoomState} */ state, /** @type {Result[]} */ results) {
  const { you, room } = state;
  if (!DECIDED.includes(room.reason ?? "")) return text("end.over");
  const [first] = results;
  if (results.length === 1) {
    return games[room.game].ending?.title?.(first, state.view, first.player === you.player) ?? text("end.over");
  }
  const best = results.filter(({ place }) => place === 1);
  if (best.length > 1) return text("end.draw");
  return about("end.wins", { name: nameOf(state, best[0].player), isYou: best[0].player === you.player });
}

function remark(/** @type {RoomState} */ state, /** @type {Result[]} */ results) {
  const { room, view } = state;
  // Whose doing it was, where it was somebody's.
  const { seat, reason } = view?.lost ?? {};
  if (seat !== undefined && reason === room.reason) return about(`reason.lost.${reason}`, whoOfSeat(state, seat));
  if (room.reason === "finished") return games[room.game].ending?.remark?.(results, view) ?? "";
  // A game ended before its last move says why, where that is worth a word.
  return has(`reason.${room.reason}`) ? text(`reason.${room.reason}`) : "";
}

/**
 * @param {RoomState} state
 */
function hintFor(state) { return text("end.deal-again", { name: nameOf(state, state.room.host) }); }

/**
 * Who plays with others finds the own result marked; medals and places are for what has been decided.
 * @param {RoomState} state
 * @param {Result} result
 * @param {boolean} isOneOfSeveral
 * @param {boolean} isDecided
 */
function item(state, result, isOneOfSeveral, isDecided) {
  const element = document.createElement("li");
  element.classList.toggle("you", result.player === state.you.player && isOneOfSeveral);
  if (isDecided) element.dataset.place = String(result.place);
  const turns = result.turns === undefined ? [] : [text("end.turns", { count: result.turns })];
  const marks = [result.left && "end.left-early", result.helped && "end.helped", result.bot && "end.computer"];
  const time = duration(Math.round(result.time / 1000));
  const details = [...turns, time, ...marks.flatMap((key) => (key ? [text(key)] : []))];
  for (const [name, content] of [
    ["medal", isDecided ? MEDALS[result.place - 1] ?? String(result.place) : ""],
    ["name", nameOf(state, result.player)],
    ["detail", details.join(" · ")],
    ["score", String(result.score)],
  ]) {
    const span = document.createElement("span");
    span.className = name;
    if (name === "name") span.dir = "auto";
    span.textContent = content;
    element.append(span);
  }
  return element;
}
