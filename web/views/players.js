// @ts-check
import { isComputer } from "../games/room.js";
import { text } from "../texts.js";
import { levelText, nameOf } from "./names.js";

/** So many players are shown side by side on a phone; more are shown smaller. */
const FEW = 4;

/**
 * The players in `root`, in the order of seats; draws any state given to the function it returns.
 * @param {HTMLElement} root
 * @param {HTMLTemplateElement} template
 */
export function playerList(root, template) {
  return function draw(state) {
    const people = everyone(state);
    const free = state.room.seats.length - state.room.seats.filter(({ player }) => player).length;
    root.classList.toggle("many", people.length > FEW);
    root.replaceChildren(...people.map((person) => item(template, state, person)));
    if (state.room.status === "waiting" && free > 0) root.append(freeSeats(free));
  };
}

/** Who plays or played this game, and who has sat down since. */
function everyone({ room }) {
  const playing = room.status === "waiting" ? [] : room.players ?? [];
  const isPlaying = ({ seat, player }) => playing.some((one) => one.seat === seat && one.player === player);
  const others = room.seats.filter((one) => one.player && !isPlaying(one));
  return [...playing.map((one) => ({ ...one, plays: true })), ...others.map((one) => ({ ...one, plays: false }))];
}

function item(template, state, { seat, player, plays }) {
  const { room, view, you } = state;
  const element = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const name = nameOf(state, player), isYou = player === you.player;
  const isTurn = room.status === "running" && plays && view?.turn === seat;
  element.dataset.seat = String(seat);
  element.classList.toggle("turn", isTurn);
  element.classList.toggle("you", isYou);
  element.classList.toggle("online", isHere(state, player));
  element.classList.toggle("gone", plays && Boolean(hasLeft(view, seat)));
  if (isTurn) element.setAttribute("aria-current", "true");
  put(element, ".avatar", initial(name));
  put(element, ".name", name);
  put(element, ".tag", [isYou ? text("player.you") : "", tag(state, seat, player, plays)].filter(Boolean).join(" · "));
  put(element, ".score", plays ? String((view?.scores ?? view?.counts)?.[seat] ?? "") : "");
  // Black and white are told by more than the seat's colour.
  if (plays && view?.black !== undefined) element.dataset.disc = view.black === seat ? "black" : "white";
  element.title = name;
  return element;
}

/** Who looks at this page is here, whatever the last word on presence was; a computer always is. */
const isHere = ({ presence, you }, player) =>
  player === you.player || isComputer(player) || presence.players.includes(player);

const hasLeft = (view, seat) =>
  view?.left?.includes(seat) || (view?.lost?.seat === seat && view.lost.reason === "left");

function tag(state, seat, player, plays) {
  const { room, view } = state;
  const { bot, helped } = room.seats[seat] ?? {};
  if (plays && hasLeft(view, seat)) return text("player.left");
  if (bot) return levelText(room.game, bot);
  if (helped) return text("player.helped");
  if (plays && view?.away?.includes(seat)) return text("player.away");
  if (!isHere(state, player)) return text("player.offline");
  if (!plays && room.status === "running") return text("player.next-game");
  return player === room.host ? text("player.host") : "";
}

function freeSeats(count) {
  const element = document.createElement("li");
  element.className = "free-seats";
  element.textContent = text("room.free-seats", { count });
  return element;
}

/** The first sign of a name as people see signs: an emoji is one. */
function initial(name) {
  const [first] = typeof Intl.Segmenter === "function" ? new Intl.Segmenter().segment(name) : [{ segment: name[0] }];
  return (first?.segment ?? "?").toLocaleUpperCase();
}

function put(element, selector, content) { element.querySelector(selector).textContent = content; }

/** How many watch, in words. @param {number} count */
export function watching(count) {
  return count === 0 ? "" : text("room.watching", { count });
}
