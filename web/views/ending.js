// @ts-check
import { about, text } from "../texts.js";
import { nameOf, whoOfSeat } from "./names.js";
import { duration } from "../games/options.js";
import { DECIDED } from "../games/sentences.js";

const MEDALS = ["🥇", "🥈", "🥉"];
/** Why a game ended before its last move, where that is worth a word: `reason.<name>`. */
const REASONS = ["left", "stalled", "closed", "time", "resigned", "restart"];

/**
 * The end of a game: places by score, equal scores share one. Draws any state given to the function it returns.
 * @param {{root: HTMLElement, title: HTMLElement, detail: HTMLElement, places: HTMLElement, hint: HTMLElement}} parts
 */
export function ending({ root, title, detail, places, hint }) {
  return function draw(state, isShown) {
    const results = placed(state.room.results ?? []);
    root.hidden = !isShown || results.length === 0;
    if (root.hidden) return;
    title.textContent = headline(state, results);
    detail.textContent = remark(state, results);
    hint.textContent = state.you.isHost || state.room.status === "closed" ? "" : hintFor(state);
    places.replaceChildren(...results.map((result) => item(state, result, results.length > 1)));
  };
}

/** Best first. */
const placed = (results) => [...results].sort((a, b) => a.place - b.place || b.score - a.score);

function headline(state, results) {
  const { you, room } = state;
  if (!DECIDED.includes(room.reason)) return text("end.over");
  const [first] = results;
  if (results.length === 1) return first.player === you.player ? rating(first, state.view) : text("end.all-found");
  const best = results.filter(({ place }) => place === 1);
  if (best.length > 1) return text("end.draw");
  return about("end.wins", { name: nameOf(state, best[0].player), isYou: best[0].player === you.player });
}

function remark(state, results) {
  const { room, view } = state;
  // Whose doing it was, where it was somebody's.
  const { seat, reason } = view?.lost ?? {};
  if (seat !== undefined && reason === room.reason) return about(`reason.lost.${reason}`, whoOfSeat(state, seat));
  if (room.reason !== "finished") return REASONS.includes(room.reason) ? text(`reason.${room.reason}`) : "";
  if (results.length > 1 || !view?.pairs) return "";
  const perfect = 1.613706 * view.pairs - 0.511294;
  return text("end.perfect", { turns: results[0].turns, mean: perfect.toFixed(1) });
}

/** For who plays alone, by turns and cells of the board; a gap counts. */
function rating({ turns, pairs }, view) {
  const cells = view ? view.columns * view.rows : 2 * pairs;
  if (turns <= 0.75 * cells) return text("rating.excellent");
  if (turns <= cells) return text("rating.great");
  return text(turns < 1.5 * cells ? "rating.good" : "rating.done");
}

function hintFor(state) { return text("end.deal-again", { name: nameOf(state, state.room.host) }); }

function item(state, result, isRanked) {
  const element = document.createElement("li");
  element.classList.toggle("you", result.player === state.you.player && isRanked);
  element.dataset.place = String(result.place);
  const turns = result.turns === undefined ? [] : [text("end.turns", { count: result.turns })];
  const marks = [result.left && "end.left-early", result.helped && "end.helped", result.bot && "end.computer"];
  const time = duration(Math.round(result.time / 1000));
  const details = [...turns, time, ...marks.filter(Boolean).map((key) => text(key))];
  for (const [name, content] of [
    ["medal", MEDALS[result.place - 1] ?? String(result.place)],
    ["name", nameOf(state, result.player)],
    ["detail", details.join(" · ")],
    ["score", String(result.score)],
  ]) {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = content;
    element.append(span);
  }
  return element;
}
