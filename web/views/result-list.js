// @ts-check
import { nameOfMode } from "../games/modes.js";
import { duration } from "../games/options.js";
import { isolated, spoken, text } from "../texts/texts.js";

/** @typedef {import("../net/messages.js").HttpLeaderboard["results"][number]} Result */

const MEDALS = ["🥇", "🥈", "🥉"];

/**
 * Results in `root`, an ordered list; draws those given to the function it returns, with their places where they are
 * `ranked`.
 * @param {HTMLElement} root
 */
export function resultList(root) {
  return function draw(/** @type {Result[]} */ results, /** @type {boolean} */ isRanked) {
    const when = new Intl.DateTimeFormat(spoken(), { dateStyle: "medium", timeStyle: "short" });
    root.classList.toggle("ranked", isRanked);
    root.replaceChildren(...results.map((result, index) => item(result, isRanked ? index + 1 : 0, when)));
  };
}

function item(/** @type {Result} */ result, /** @type {number} */ place, /** @type {Intl.DateTimeFormat} */ when) {
  const { name, score, turns, time, at, kind, game, mode, room } = result;
  const element = document.createElement("li");
  element.dataset.kind = kind;
  if (place) element.append(part("span", "place", MEDALS[place - 1] ?? String(place)));
  const bearer = part("span", "name", isolated(name ?? text("someone")));
  // What was not played to the end by the player alone is not to be taken for what was.
  if (kind !== "finished") bearer.append(part("span", "kind", text(`leaderboard.kind.${kind}`)));
  element.append(bearer, part("span", "score", text("leaderboard.score", { count: score })));
  const facts = [
    turns > 0 ? text("end.turns", { count: turns }) : "", duration(Math.round(time / 1_000)),
    place ? "" : nameOfMode(game, mode), when.format(at),
  ];
  const detail = part("span", "detail", facts.filter(Boolean).join(" · "));
  // Not told of a room that is found by its link alone.
  if (room) {
    const link = part("a", "code", room);
    link.setAttribute("href", `/room/${encodeURIComponent(room)}`);
    detail.append(" · ", link);
  }
  element.append(detail);
  return element;
}

function part(/** @type {string} */ tag, /** @type {string} */ className, /** @type {string} */ content) {
  return Object.assign(document.createElement(tag), { className, textContent: content });
}
