// @ts-check
import { isComputer } from "../games/room.js";
import { describe } from "../games/options.js";
import { games } from "../games/list.js";
import { watchRooms } from "../net/open-rooms.js";
import { runningGames } from "../store/account.js";
import { identity, roomAddress } from "../store/identity.js";
import { isolated, listed, text } from "../texts/texts.js";
import { roomList } from "../views/room-list.js";
import { element } from "./elements.js";
import { playIn } from "./quick-play.js";

/** @typedef {import("../net/lobby.js").Room} Room */

/** How many rooms, and how many of the player's own games, show before the user asks for more. */
const FEW_ROOMS = 8;
const FEW_GAMES = 3;

/** @type {Record<string, string>} */
const STATUS = { dealing: "list.playing", running: "list.playing", ended: "list.ended" };

/**
 * The open rooms, live: a press takes a free seat, or else watches. Above them the games that this player has begun and
 * may return to, as the hub knows them; call `come` to fetch those.
 * @param {import("./home.js").Act} act
 */
export function homeRooms(act) {
  const join = (/** @type {string} */ code, /** @type {HTMLElement} */ button) =>
    act(button, "doing.join", async () => playIn(code));
  const templates = { row: element("room-template"), miniature: element("miniature-template") };
  const open = { ...templates, root: element("rooms"), section: element("open-rooms"), more: element("more-rooms") };
  const begun = { ...templates, root: element("own-games"), section: element("continue"), more: element("more-games") };
  const drawOpen = roomList(open, FEW_ROOMS, "home.more-rooms", join);
  const drawBegun = roomList(begun, FEW_GAMES, "continue.more");
  let watched = /** @type {ReturnType<typeof watchRooms> | null} */ (null);
  let own = /** @type {Room[]} */ ([]);
  const draw = (/** @type {Room[]} */ rooms) => {
    const others = rooms.filter(({ code }) => !own.some((one) => one.code === code));
    drawOpen(inOrder(others).map(openRoom));
  };
  return {
    enter() { watched = watchRooms(draw); },
    leave() {
      watched?.leave();
      watched = null;
    },
    /** The open ones, if known. */
    get known() { return watched?.isLive ? watched.rooms : null; },
    /** Whether the page has found that there is no line. */
    get isLost() { return watched?.isLost === true; },
    async come() {
      // Without an answer, offer nothing: it may be over.
      const { rooms, names } = await runningGames().catch(() => ({ rooms: [], names: {} }));
      own = rooms;
      drawBegun(byUrgency(rooms).map((room) => ownGame(room, names)));
      if (watched) draw(watched.rooms);
    },
  };
}

/** Rooms with a free seat come first, then those with something to watch. */
function inOrder(/** @type {Room[]} */ rooms) {
  const rank = (/** @type {Room} */ room) => (isJoinable(room) ? 0 : room.status === "running" ? 1 : 2);
  return [...rooms].sort((a, b) => rank(a) - rank(b));
}

const isJoinable = (/** @type {Room} */ { status, seats }) => status === "waiting" && seats.taken < seats.all;

/** @returns {import("../views/room-list.js").Row} */
function openRoom(/** @type {Room} */ room) {
  const { code, game, seats, status, spectators, hostName } = room, isOpen = isJoinable(room);
  const host = hostName ? text("list.host", { name: hostName }) : "";
  const watched = spectators > 0 ? text("home.watched", { count: spectators }) : "";
  return {
    code, game, status, href: roomAddress(code), what: titleOf(room), isJoinable: isOpen,
    who: [host, watched].filter(Boolean).join(" · "),
    state: isOpen ? text("list.free", { count: seats.all - seats.taken })
      : `${text(STATUS[status] ?? status)} · ${text("list.watch")}`,
  };
}

/** Whether a game that waits for these players waits for this one. */
const isMine = (/** @type {string[]} */ awaited = []) => awaited.includes(identity()?.id ?? "");

/** Games in which it is the player's move first, then games with others, who do not wait for ever. */
function byUrgency(/** @type {Room[]} */ rooms) {
  const rank = (/** @type {Room} */ { awaited, players = [] }) => {
    const isShared = players.filter((player) => !isComputer(player)).length > 1;
    return isShared ? (isMine(awaited) ? 0 : 1) : 2;
  };
  return [...rooms].sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {Room} room
 * @param {Record<string, string>} names
 * @returns {import("../views/room-list.js").Row}
 */
function ownGame(room, names) {
  const { code, game, awaited, players = [] } = room, me = identity()?.id;
  const others = players.filter((player) => player !== me), people = others.filter((player) => !isComputer(player));
  const called = people.map((player) => isolated(names[player] ?? text("someone")));
  const who = people.length > 0 ? text("continue.with", { names: listed(called) })
    : text(others.length > 0 ? "continue.computer" : "continue.alone");
  const isWaiting = isMine(awaited) && people.length > 0;
  return {
    code, game, status: isWaiting ? "mine" : "running", href: roomAddress(code), what: titleOf(room), isJoinable: false,
    who: isWaiting ? `${who} · ${text("continue.turn")}` : who, state: text("home.continue"),
  };
}

/** The game, and the most important thing about how it is played. */
function titleOf(/** @type {Room} */ { game, options }) {
  const title = text(games[game]?.title ?? game), [first] = describe(game, options).filter((fact) => fact !== title);
  return [title, first].filter(Boolean).join(" · ");
}
