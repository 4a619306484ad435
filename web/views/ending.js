// @ts-check
import { gameOf } from "../games/list.js";
import { duration } from "../games/options.js";
import { DECIDED } from "../games/sentences.js";
import { about, has, text } from "../texts/texts.js";
import { show, write } from "./element-changes.js";
import { MEDALS } from "./medals.js";
import { nameOf, whoIs } from "./names.js";
import { missing, namesOf, partIn, waitingFor } from "./proposal.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../net/messages.js").Result} Result */

/** Reasons of a game that ended because a player went out of it. */
const BY_LEAVING = ["time", "resigned"];

/**
 * The end of a game, the same for everyone: places by score, shared by equal scores; who wants another game, and what
 * to do next. Draws any state given to the returned function.
 * @param {{root: HTMLElement, title: HTMLElement, detail: HTMLElement, places: HTMLElement, series: HTMLElement,
 *   news: HTMLElement, rematch: HTMLElement, wanted: HTMLElement, yes: HTMLElement, later: HTMLElement,
 *   no: HTMLElement, answers: HTMLElement, replay: HTMLAnchorElement}} parts `later` asks for another game once the end
 *   is closed
 */
export function ending(
  { root, title, detail, places, series, news, rematch, wanted, yes, later, no, answers, replay }) {
  /**
   * @param {RoomState} state
   * @param {{isShown: boolean, isPutAway?: boolean, told?: string}} how
   */
  return function draw(state, { isShown, isPutAway = false, told = "" }) {
    const results = placed(state.room.results ?? []);
    // An open question stands above the board already.
    show(later, isPutAway && mayPlayAgain(state) && !state.room.proposal);
    drawAgain(state, later, false);
    // A game with a fault has no results, but needs a word.
    root.hidden = !isShown || (results.length === 0 && state.room.reason !== "fault");
    if (root.hidden) return;
    title.textContent = headline(state, results);
    detail.textContent = remark(state, results);
    write(series, ofTheSeries(state, results));
    write(news, told);
    const said = wishes(state);
    write(rematch, said);
    show(wanted, said !== "");
    show(answers, drawAnswers(state, yes, no));
    replay.href = `/replay/${encodeURIComponent(state.room.code)}`;
    places.replaceChildren(...results.map((result) => item(state, result, results.length)));
  };
}

/** Best first. */
export const placed = (/** @type {Result[]} */ results) =>
  [...results].sort((a, b) => a.place - b.place || b.score - a.score);

const isDecided = (/** @type {RoomState["room"]} */ { reason }) => DECIDED.includes(reason ?? "");

/**
 * A medal, or the number of a place from the fourth on: for players who played to the end of a contest among several.
 * @param {RoomState["room"]} room
 * @param {Result} result
 */
export function medalOf(room, { place, left }) {
  const isPlaced = isDecided(room) && (room.results ?? []).length > 1 && !left;
  return isPlaced ? MEDALS[place - 1] ?? `${place}.` : "";
}

export function headline(/** @type {RoomState} */ state, /** @type {Result[]} */ results) {
  const { you, room } = state;
  if (!isDecided(room)) return text("end.over");
  const [first] = results;
  if (results.length === 1) {
    return gameOf(room.game).ending?.title?.(first, state.view, first.player === you.player) ?? text("end.over");
  }
  const best = results.filter(({ place }) => place === 1);
  if (best.length > 1) return text("end.draw");
  return about("end.wins", { name: nameOf(state, best[0].player), isYou: best[0].player === you.player });
}

function remark(/** @type {RoomState} */ state, /** @type {Result[]} */ results) {
  const { room, view } = state;
  // Who caused it, if a player did: the last who went out.
  const { seat, reason } = view?.out?.at(-1) ?? {};
  if (seat !== undefined && BY_LEAVING.includes(room.reason ?? "")) {
    return about(`reason.lost.${reason}`, whoIs(state, results.find((result) => result.seat === seat)?.player));
  }
  if (room.reason === "finished") return gameOf(room.game).ending?.remark?.(results, view) ?? "";
  // The reason why a game ended before its last move, if that needs a word.
  return has(`reason.${room.reason}`) ? text(`reason.${room.reason}`) : "";
}

/** The series between two players; among more, each has a number beside the name. */
function ofTheSeries(/** @type {RoomState} */ state, /** @type {Result[]} */ results) {
  const { wins } = state.room;
  if (!wins || results.length !== 2) return "";
  const [one, other] = results.map(({ player }) => wins[player] ?? 0);
  const [name, second] = results.map(({ player }) => nameOf(state, player));
  return text("end.series", { one, other, name, second });
}

/** Why no one can ask for another game, in words; empty if someone can. */
export function whyNotAgain(/** @type {RoomState} */ state) {
  const absent = missing(state);
  return absent.length === 0 ? "" : text("end.absent", { names: namesOf(state, absent), count: absent.length });
}

/** Who wants another game, and whose answer is missing; or who must return for one, if only that is missing. */
function wishes(/** @type {RoomState} */ state) {
  const { proposal } = state.room;
  if (!proposal) return whyNotAgain(state);
  return `${text("end.agreed", { names: namesOf(state, proposal.agreed) })} ${waitingFor(state, proposal)}`.trim();
}

/**
 * Shows the buttons for an answer, if there is anything to answer.
 * @param {RoomState} state
 * @param {HTMLElement} yes
 * @param {HTMLElement} no
 */
function drawAnswers(state, yes, no) {
  const { proposal } = state.room, mayPlay = mayPlayAgain(state);
  const { hasAgreed, mayRefuse } = proposal ? partIn(state, proposal) : { hasAgreed: false, mayRefuse: false };
  show(yes, mayPlay);
  drawAgain(state, yes, hasAgreed);
  show(no, mayPlay && mayRefuse);
  write(no, text(hasAgreed ? "proposal.take-back" : "proposal.no"));
  return mayPlay;
}

const mayPlayAgain = (/** @type {RoomState} */ { room, you }) => room.status === "ended" && you.seat !== undefined;

/**
 * The button that asks for another game.
 * @param {RoomState} state
 * @param {HTMLElement} button
 * @param {boolean} hasAgreed
 */
function drawAgain(state, button, hasAgreed) {
  const isAlone = state.room.seats.filter(({ player }) => player !== undefined).length < 2;
  write(button, (hasAgreed ? "✓ " : "") + text(isAlone ? "room.again" : "end.rematch"));
  const isResting = hasAgreed || missing(state).length > 0;
  // It keeps its place, and the focus.
  button.setAttribute("aria-disabled", String(isResting));
  button.classList.toggle("resting", isResting);
}

/**
 * In a game with others, the player's own result is marked.
 * @param {RoomState} state
 * @param {Result} result
 * @param {number} results how many there are
 */
function item(state, result, results) {
  const isOneOfSeveral = results > 1, isPlaced = isDecided(state.room);
  const element = document.createElement("li"), isYours = result.player === state.you.player && isOneOfSeveral;
  element.classList.toggle("you", isYours);
  element.classList.toggle("unplaced", !isPlaced || !isOneOfSeveral);
  if (isPlaced) element.dataset.place = String(result.place);
  if (isOneOfSeveral) element.dataset.seat = String(result.seat);
  const wins = results > 2 ? state.room.wins?.[result.player] : undefined;
  const turns = result.turns === undefined ? [] : [text("end.turns", { count: result.turns })];
  const marks = [result.left && "end.left-early", result.helped && "end.helped", result.bot && "end.computer"];
  const time = duration(Math.round(result.time / 1000));
  const series = wins === undefined ? [] : [text("end.won", { count: wins })];
  // Not everyone sees a border of another colour.
  const details = [...(isYours ? [text("player.you")] : []), ...turns, time, ...series,
    ...marks.flatMap((key) => (key ? [text(key)] : []))];
  for (const [name, content] of [
    ["medal", medalOf(state.room, result)],
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
