// @ts-check
import { gameOf, moversOf } from "../games/list.js";
import { isComputer, isHere } from "../games/room.js";
import { has, isolated, listed, text } from "../texts/texts.js";
import { vary, write } from "./element-changes.js";
import { isLong, levelText, nameOf } from "./names.js";
import { bringIntoSight } from "./scrolling.js";

/**
 * @typedef {import("../games/room.js").RoomState} RoomState
 * @typedef {import("../games/room.js").Seat} Seat
 * @typedef {{seat: number, player: string, plays: boolean}} Person
 */

/** More players than this are shown smaller if there is little space. */
const FEW = 2;
/** At most this many of them share a wide row. */
const MOST_IN_A_ROW = 4;

/**
 * The players in `root`, in the order of seats; draws any state given to the returned function. A change of score since
 * the last drawing of the same game floats beside it. Before the first game they sit round the table, with `chairs` for
 * the free seats.
 * @param {HTMLElement} root
 * @param {HTMLTemplateElement} template
 * @param {ReturnType<typeof import("./chairs.js").chairs>} [chairs]
 */
export function playerList(root, template, chairs) {
  let shown = "";
  let shownMover = /** @type {Element | null} */ (null);
  /** By seat and player. */
  let elements = /** @type {Map<string, HTMLElement>} */ (new Map());
  /** @type {Map<number, number>} */
  let scores = new Map();
  return function draw(/** @type {RoomState} */ state) {
    const { room, view } = state, people = everyone(state), isAtTable = chairs && room.status === "waiting";
    /** @type {(Seat | Person)[]} */
    const places = isAtTable ? room.seats : people;
    const now = JSON.stringify([room.code, room.gameNumber, places.map(({ seat, player }) => [seat, player])]);
    const isSame = now === shown, before = elements;
    shown = now;
    // The same people keep their elements, so that animations continue and the focus stays.
    elements = new Map(places.map(({ seat, player }) => {
      const key = `${seat} ${player}`;
      return [key, before.get(key) ?? (player === undefined && chairs ? chairs.make(seat) : blank(template))];
    }));
    if (!isSame) place(root, [...elements.values()]);
    for (const person of people) {
      const element = /** @type {HTMLElement} */ (elements.get(`${person.seat} ${person.player}`));
      fill(element, state, person);
      const now = person.plays ? view?.scores?.[person.seat] : undefined;
      const change = isSame && now !== undefined ? now - (scores.get(person.seat) ?? now) : 0;
      if (change) floatChange(element, change);
    }
    if (isAtTable) {
      for (const { seat } of room.seats.filter(({ player }) => player === undefined)) {
        chairs.draw(/** @type {HTMLElement} */ (elements.get(`${seat} undefined`)), state);
      }
    }
    scores = new Map(Object.entries(view?.scores ?? {}).map(([seat, score]) => [Number(seat), score]));
    // If they do not fit, they scroll.
    const mover = root.querySelector(".turn");
    if (mover !== shownMover && mover && root.parentElement) bringIntoSight(root.parentElement, mover);
    shownMover = mover;
    root.classList.toggle("at-table", Boolean(isAtTable));
    root.classList.toggle("crowded", Boolean(isAtTable) && places.length > MOST_IN_A_ROW);
    root.classList.toggle("many", !isAtTable && places.length > FEW);
    vary(root, "--side", String(Math.ceil(places.length / 2)));
    vary(root, "--count", String(isAtTable ? places.length : Math.min(MOST_IN_A_ROW, places.length)));
  };
}

/** Makes `root` contain `elements` in this order; those that stay are not touched. */
function place(/** @type {HTMLElement} */ root, /** @type {HTMLElement[]} */ elements) {
  elements.forEach((element, index) => {
    vary(element, "--index", String(index));
    if (root.children[index] !== element) root.insertBefore(element, root.children[index] ?? null);
  });
  for (const gone of [...root.children].slice(elements.length)) gone.remove();
}

/**
 * A seat's score so far; undefined if nothing is counted, or not yet.
 * @returns {number | undefined}
 */
export function pointsOf(/** @type {RoomState} */ { room, view }, /** @type {number} */ seat) {
  if (!view) return undefined;
  const { points } = gameOf(room.game);
  return points ? points(view, seat) : view.scores?.[seat];
}

/**
 * The element of `player` in a list.
 * @param {HTMLElement} root
 * @param {string} player
 */
export function elementOf(root, player) {
  return [...root.children].find((child) => /** @type {HTMLElement} */ (child).dataset.player === player);
}

/**
 * The players of this game, and people who have sat down since.
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
  const isTurn = room.status === "running" && plays && Boolean(view && moversOf(room.game, view).includes(seat));
  element.dataset.seat = String(seat);
  element.dataset.player = player;
  element.classList.toggle("turn", isTurn);
  element.classList.toggle("you", isYou);
  element.classList.toggle("online", isHere(state, player));
  element.classList.toggle("gone", plays && Boolean(hasLeft(view, seat) || isOut(state, seat)));
  if (isTurn) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
  write(element.querySelector(".avatar b"), initial(name));
  write(element.querySelector(".name"), name);
  element.classList.toggle("long", isLong(name));
  drawWins(/** @type {HTMLElement} */ (element.querySelector(".name")), room.wins?.[player]);
  const turns = plays ? view?.turns?.[seat] : undefined;
  const tags = [isYou && text("player.you"), tag(state, seat, player, plays)].filter(Boolean);
  write(element.querySelector(".tags"), tags.join(" · "));
  write(element.querySelector(".turns"), turns ? turnsOf(turns, tags.length > 0) : "");
  element.classList.toggle("bare", !turns && tags.length === 0);
  const points = plays ? pointsOf(state, seat) : undefined;
  write(element.querySelector(".points"), String(points ?? ""));
  // The piece may say more than the seat's colour.
  const disc = plays && view ? gameOf(room.game).disc?.(view, seat) : undefined;
  if (disc) element.dataset.disc = disc;
  const called = /** @type {HTMLElement} */ (element.querySelector(".name"));
  if (called.title !== name) called.title = name;
  const colour = disc && disc !== "seat" && `${room.game}.${disc}`;
  write(element.querySelector(".read"), [isolated(name), ...tags, colour && has(colour) && text(colour),
    points !== undefined && text("leaderboard.score", { count: points }), turns && text("room.turns", { count: turns }),
    isTurn && text(isYou ? "player.turn.you" : "player.turn")].filter(Boolean).join(text("standing.and")));
}

/** Games won in the series, after the name; the end of a game says them in words. */
function drawWins(/** @type {HTMLElement} */ name, /** @type {number | undefined} */ wins) {
  if (wins === undefined) delete name.dataset.wins;
  else name.dataset.wins = String(wins);
}

/**
 * How many turns a player has had; left out if it does not fit.
 * @param {number} count
 * @param {boolean} isBehindTags
 */
const turnsOf = (count, isBehindTags) => `${isBehindTags ? " · " : ""}${text("room.turns", { count })}`;

/** Visible beside the score for a moment; screen readers get the score itself. */
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

const hasLeft = (/** @type {RoomState["view"]} */ view, /** @type {number} */ seat) =>
  view?.left?.includes(seat) || view?.out?.some((one) => one.seat === seat && one.reason === "left");

/** Whether the others play on without this seat, whose player may still be here. */
const isOut = (/** @type {RoomState} */ { room, view }, /** @type {number} */ seat) =>
  room.status === "running" && view?.out?.some((one) => one.seat === seat);

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
  if (plays && isOut(state, seat)) return text("player.out");
  if (bot) return levelText(room.game, bot);
  if (helped) return text("player.helped");
  if (plays && view?.away?.includes(seat)) return text("player.away");
  if (!isHere(state, player)) return text("player.offline");
  if (!plays && room.status === "running") return text("player.next-game");
  // During a game there are more important things to show there.
  return player === room.host && room.status !== "running" ? text("player.host") : "";
}

/** Characters as people see them: an emoji is one. This API is newer than all others on the page. */
const signs = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;

/** The first character of a name. */
function initial(/** @type {string} */ name) {
  const [first] = signs ? signs.segment(name) : [{ segment: name[0] }];
  return (first?.segment ?? "?").toLocaleUpperCase();
}

/** Who is playing, for viewers to whom the page does not already show it, and how many watch. */
export function watching(/** @type {RoomState} */ state) {
  const { room, presence: { spectators }, you } = state;
  const others = spectators > 0 ? text("room.watching", { count: spectators }) : "";
  const isOutside = room.status === "running" && !room.players?.some(({ player }) => player === you.player);
  return [isOutside ? playing(state) : "", others].filter(Boolean).join(" · ");
}

function playing(/** @type {RoomState} */ state) {
  const people = state.room.players ?? [], [one, ...more] = people.filter(({ player }) => !isComputer(player));
  if (people.length > 1 && one && more.length === 0) {
    return text("room.against-computer", { name: nameOf(state, one.player) });
  }
  const names = people.map(({ player }) => isolated(nameOf(state, player)));
  return text("room.playing", { count: names.length, names: listed(names) });
}
