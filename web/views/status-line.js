// @ts-check
import { gameOf, moversOf } from "../games/list.js";
import { isComputer, presentIn, seatedIn } from "../games/room.js";
import { DECIDED } from "../games/sentences.js";
import { about, listed, text } from "../texts/texts.js";
import { nameOf, whoOfSeat } from "./names.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** One line about what is going on, for the viewer of `state`. */
export function statusLine(/** @type {RoomState} */ state) {
  const { status, reason } = state.room;
  if (reason === "fault" && (status === "ended" || status === "waiting")) return text("reason.fault");
  switch (status) {
    case "closed": return text("now.closed");
    case "ended": return text("now.ended");
    case "dealing": return text("now.dealing");
    case "running": return turn(state);
    default: return beforeStart(state);
  }
}

/** Whether this page's player plays in the running game. */
export function plays(/** @type {RoomState} */ { room, you }) {
  return room.status === "running" && you.seat !== undefined
    && (room.players ?? []).some(({ seat, player }) => seat === you.seat && player === you.player);
}

/** Whether this page's player, or anyone who takes a name here, may take a seat. */
export function maySit(/** @type {RoomState} */ { room, you }) {
  return room.status !== "closed" && you.seat === undefined && !room.banned?.includes(you.player ?? "")
    && room.seats.some(({ player }) => player === undefined);
}

/** Whether this page's player may move now. Never in the middle of a commit, where it only looks that way. */
export function mayMove(/** @type {RoomState} */ state) {
  if (state.more) return false;
  const { room, view, you } = state;
  return plays(state) && Boolean(view) && gameOf(room.game).mayMove(view, Number(you.seat));
}

/** Whether a restart discards a started game at once: if others have seats, they are asked first. */
export function losesByRestart(/** @type {RoomState} */ { room, view, you }) {
  const { isBegun = () => true } = gameOf(room.game);
  const isOther = (/** @type {string} */ player) => player !== you.player && !isComputer(player);
  return Boolean(view) && isBegun(view) && !seatedIn(room).some(isOther);
}

/**
 * What the viewer knows and has chosen besides the view.
 * @param {RoomState} state
 * @param {number} [chosen] a target
 * @returns {import("../games/game.js").Own}
 */
export function ownOf({ room, you, hand }, chosen) {
  const isOwn = (room.players ?? []).some(({ seat, player }) => seat === you.seat && player === you.player);
  return { seat: isOwn ? you.seat : undefined, hand, chosen };
}

/**
 * Why `target` cannot be played now, for someone who tries anyway; empty if it can.
 * @param {RoomState} state
 * @param {number} target
 * @param {number} [chosen] the target that the first of two presses has chosen
 */
export function whyNot(state, target, chosen) {
  const { room, view, you } = state;
  if (room.status !== "running" || !view) return statusLine(state);
  if (!plays(state)) return text("now.watching");
  const movers = moversOf(room.game, view);
  if (movers.length === 0) return text("now.wait");
  if (!movers.includes(Number(you.seat))) {
    const names = movers.map((seat) => whoOfSeat(state, seat).name);
    return text("now.not-yours", { name: listed(names), count: movers.length });
  }
  return text(gameOf(room.game).whyNot(view, target, ownOf(state, chosen)));
}

/** What the game on the table is played with, if it has a word for that. */
export const caption = (/** @type {RoomState} */ { room, view }) => (view && gameOf(room.game).caption?.(view)) ?? "";

/** What is left to win, for people who cannot see the board. */
export const remaining = (/** @type {RoomState} */ { room, view }) =>
  (view && room.status === "running" && gameOf(room.game).remaining?.(view)) || "";

/** Whether to celebrate on this page: a win, or for spectators any finished game. */
export function isTriumph(/** @type {RoomState} */ { room, you }) {
  if (!DECIDED.includes(room.reason ?? "")) return false;
  const own = (room.results ?? []).find(({ player }) => player === you.player);
  return own === undefined || own.place === 1;
}

/** The next step for the viewer. */
function beforeStart(/** @type {RoomState} */ state) {
  const { room, you } = state;
  if (you.isHost && you.seat === undefined) return text("now.seat-or-watch");
  if (you.isHost && room.seats.length === 1) return text("now.start-alone");
  if (you.isHost) return text(presentIn(state).length === 1 ? "now.invite" : "now.start");
  if (you.seat !== undefined) return text("now.wait-for-host", { name: nameOf(state, room.host) });
  return text(seatedIn(room).length < room.seats.length ? "now.watching-free" : "now.watching-full");
}

function turn(/** @type {RoomState} */ state) {
  const { room, view } = state;
  const movers = view ? moversOf(room.game, view) : [];
  if (!view || movers.length === 0) return "";
  const who = movers.map((seat) => whoOfSeat(state, seat));
  const isYou = who.some((one) => one.isYou) && plays(state);
  const isAway = movers.every((seat) => view.away?.includes(seat));
  const key = isAway ? "now.away" : gameOf(room.game).turnText(view, ownOf(state).seat);
  return about(key, { name: listed(who.map(({ name }) => name)), isYou }, { count: movers.length });
}
