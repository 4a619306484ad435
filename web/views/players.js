// @ts-check
import { games } from "../games/list.js";
import { isComputer } from "../games/room.js";
import { text } from "../texts/texts.js";
import { write } from "./element-changes.js";
import { isLong, levelText, nameOf } from "./names.js";
import { bringIntoSight } from "./scrolling.js";

/**
 * @typedef {import("../games/room.js").RoomState} RoomState
 * @typedef {import("../games/room.js").Seat} Seat
 * @typedef {{seat: number, player: string, plays: boolean}} Person
 */

/** More players than these are shown smaller where there is little room. */
const FEW = 2;
/** And so many of those stand in a row, where a row is wide. */
const MOST_IN_A_ROW = 4;

/**
 * The players in `root`, in the order of seats; draws any state given to the function it returns. What a score has
 * gained or lost since it was last drawn in the same game floats beside it.
 * @param {HTMLElement} root
 * @param {HTMLTemplateElement} template
 */
export function playerList(root, template) {
  let shown = "";
  let shownMover = /** @type {Element | null} */ (null);
  /** @type {Map<number, number>} */
  let scores = new Map();
  return function draw(/** @type {RoomState} */ state) {
    const people = everyone(state);
    const { room, view } = state;
    // The same people keep their elements: what moves on them goes on moving.
    const now = JSON.stringify([room.code, room.gameNumber, people.map(({ seat, player }) => [seat, player])]);
    const isSame = now === shown;
    if (!isSame) root.replaceChildren(...people.map(() => blank(template)));
    shown = now;
    people.forEach((person, index) => {
      const element = /** @type {HTMLElement} */ (root.children[index]);
      fill(element, state, person);
      const now = person.plays ? view?.scores?.[person.seat] : undefined;
      const change = isSame && now !== undefined ? now - (scores.get(person.seat) ?? now) : 0;
      if (change) floatChange(element, change);
    });
    scores = new Map(Object.entries(view?.scores ?? {}).map(([seat, score]) => [Number(seat), score]));
    // Where they have no room they scroll.
    const mover = root.querySelector(".turn");
    if (mover !== shownMover && mover && root.parentElement) bringIntoSight(root.parentElement, mover);
    shownMover = mover;
    const free = room.seats.length - room.seats.filter(({ player }) => player).length;
    root.classList.toggle("many", people.length > FEW);
    root.style.setProperty("--count", String(Math.min(MOST_IN_A_ROW, people.length)));
    root.querySelector(".free-seats")?.remove();
    if (room.status === "waiting" && free > 0) root.append(freeSeats(free));
  };
}

/**
 * What a seat has scored so far; undefined where nothing is counted, or yet.
 * @returns {number | undefined}
 */
export function pointsOf(/** @type {RoomState} */ { room, view }, /** @type {number} */ seat) {
  if (!view) return undefined;
  const { points } = games[room.game];
  return points ? points(view, seat) : view.scores?.[seat];
}

/**
 * The element of whoever is `player` in a list drawn of `state`.
 * @param {HTMLElement} root
 * @param {string} player
 */
export function elementOf(root, /** @type {RoomState} */ state, player) {
  const index = everyone(state).findIndex((person) => person.player === player);
  return index < 0 ? null : root.children[index];
}

/**
 * Who plays or played this game, and who has sat down since.
 * @returns {Person[]}
 */
function everyone(/** @type {RoomState} */ { room }) {
  const playing = room.status === "waiting" ? [] : room.players ?? [];
  const isPlaying = (/** @type {Seat} */ { seat, player }) =>
    playing.some((one) => one.seat === seat && one.player === player);
  const others = room.seats.flatMap((one) =>
    (one.player && !isPlaying(one) ? [{ seat: one.seat, player: one.player, plays: false }] : []));
  return [...playing.map((one) => ({ ...one, plays: true })), ...others];
}

/**
 * @param {HTMLTemplateElement} template
 */
const blank = (template) => /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));

/**
 * @param {HTMLElement} element
 * @param {RoomState} state
 * @param {Person} person
 */
function fill(element, state, { seat, player, plays }) {
  const { room, view, you } = state;
  const name = nameOf(state, player), isYou = player === you.player;
  const isTurn = room.status === "running" && plays && view?.turn === seat;
  element.dataset.seat = String(seat);
  element.classList.toggle("turn", isTurn);
  element.classList.toggle("you", isYou);
  element.classList.toggle("online", isHere(state, player));
  element.classList.toggle("gone", plays && Boolean(hasLeft(view, seat)));
  if (isTurn) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
  write(element.querySelector(".avatar"), initial(name));
  write(element.querySelector(".name"), name);
  element.classList.toggle("long", isLong(name));
  const turns = plays ? view?.turns?.[seat] : undefined;
  const tags = [isYou && text("player.you"), tag(state, seat, player, plays)].filter(Boolean);
  write(element.querySelector(".tags"), tags.join(" · "));
  write(element.querySelector(".turns"), turns ? turnsOf(turns, tags.length > 0) : "");
  element.classList.toggle("bare", !turns && tags.length === 0);
  write(element.querySelector(".points"), plays ? String(pointsOf(state, seat) ?? "") : "");
  // Black and white are told by more than the seat's colour.
  const disc = plays && view ? games[room.game].disc?.(view, seat) : undefined;
  if (disc) element.dataset.disc = disc;
  if (element.title !== name) element.title = name;
}

/**
 * How many turns somebody has had; left out where there is no room for it.
 * @param {number} count
 * @param {boolean} isBehindTags
 */
const turnsOf = (count, isBehindTags) => `${isBehindTags ? " · " : ""}${text("room.turns", { count })}`;

/** Seen beside the score for a moment; the score itself is what is read out. */
function floatChange(/** @type {HTMLElement} */ element, /** @type {number} */ change) {
  const score = element.querySelector(".score");
  score?.querySelector(".change")?.remove();
  const sign = document.createElement("span");
  sign.className = change > 0 ? "change" : "change loss";
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = change > 0 ? `+${change}` : `−${-change}`;
  score?.append(sign);
  sign.animate([{ opacity: 0 }, { opacity: 1, offset: 0.12 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], 1_800)
    .finished.then(() => sign.remove(), () => {});
}

/** Who looks at this page is here, whatever the last word on presence was; a computer always is. */
const isHere = (/** @type {RoomState} */ { presence, you }, /** @type {string} */ player) =>
  player === you.player || isComputer(player) || presence.players.includes(player);

const hasLeft = (/** @type {RoomState["view"]} */ view, /** @type {number} */ seat) =>
  view?.left?.includes(seat) || (view?.lost?.seat === seat && view.lost.reason === "left");

/**
 * @param {RoomState} state
 * @param {number} seat
 * @param {string} player
 * @param {boolean} plays
 */
function tag(state, seat, player, plays) {
  const { room, view } = state;
  const { bot, helped } = room.seats[seat] ?? {};
  if (plays && hasLeft(view, seat)) return text("player.left");
  if (bot) return levelText(room.game, bot);
  if (helped) return text("player.helped");
  if (plays && view?.away?.includes(seat)) return text("player.away");
  if (!isHere(state, player)) return text("player.offline");
  if (!plays && room.status === "running") return text("player.next-game");
  // In a game other things are to be seen there.
  return player === room.host && room.status !== "running" ? text("player.host") : "";
}

function freeSeats(/** @type {number} */ count) {
  const element = document.createElement("li");
  element.className = "free-seats";
  element.textContent = text("room.free-seats", { count });
  return element;
}

/** Signs as people see them: an emoji is one. Younger than all else of the page. */
const signs = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** The first sign of a name. */
function initial(/** @type {string} */ name) {
  const [first] = signs ? signs.segment(name) : [{ segment: name[0] }];
  return (first?.segment ?? "?").toLocaleUpperCase();
}

/**
 * How many watch, in words.
 * @param {number} count
 */
export function watching(count) {
  return count === 0 ? "" : text("room.watching", { count });
}
