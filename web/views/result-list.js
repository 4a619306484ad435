// @ts-check
import { nameOfMode } from "../games/modes.js";
import { duration } from "../games/options.js";
import { isolated, spoken, text } from "../texts/texts.js";
import { MEDALS } from "./medals.js";

/** @typedef {import("../net/messages.js").ListedResult} Result */

/**
 * Results in `root`, an ordered list; draws those given to the returned function, each with its rank if it has one.
 * Those of the player `you` are marked.
 * @param {HTMLElement} root
 */
export function resultList(root) {
  return function draw(/** @type {Result[]} */ results, /** @type {string[] | null} */ ranks, you = "") {
    const when = new Intl.DateTimeFormat(spoken(), { dateStyle: "medium", timeStyle: "short" });
    root.classList.toggle("ranked", ranks !== null);
    root.replaceChildren(...results.map((result, index) => item(result, ranks?.[index] ?? "", you, when)));
  };
}

/**
 * The ranks of results that start with the very best: those equal in all that counts share one.
 * @param {Result[]} results
 */
export function ranksOf(results) {
  /** @type {string[]} */
  const ranks = [];
  results.forEach((result, index) => {
    const isEqual = index > 0 && isAsGood(result, results[index - 1]);
    ranks.push(isEqual ? ranks[index - 1] : String(index + 1));
  });
  return ranks;
}

const isAsGood = (/** @type {Result} */ one, /** @type {Result} */ other) =>
  one.score === other.score && one.turns === other.turns && one.time === other.time;

/**
 * @param {Result} result
 * @param {string} rank
 * @param {string} you
 * @param {Intl.DateTimeFormat} when
 */
function item({ player, name, score, turns, time, at, kind, game, mode, room }, rank, you, when) {
  const element = document.createElement("li");
  element.dataset.kind = kind;
  if (rank) element.append(part("span", "place", (kind === "finished" && MEDALS[Number(rank) - 1]) || rank));
  const bearer = part("span", "name", isolated(name ?? text("someone")));
  if (player === you) {
    element.classList.add("you");
    bearer.append(part("span", "kind", text("player.you")));
  }
  // A result with help, or of a player who left, must not look like the others.
  if (kind !== "finished") bearer.append(part("span", "kind", text(`leaderboard.kind.${kind}`)));
  element.append(bearer, part("span", "score", text("leaderboard.score", { count: score })));
  const facts = [
    turns > 0 ? text("end.turns", { count: turns }) : "", duration(Math.round(time / 1_000)),
    rank ? "" : nameOfMode(game, mode), when.format(at),
  ];
  const detail = part("span", "detail", facts.filter(Boolean).join(" · "));
  // Unlisted rooms have no link here.
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
