// @ts-check
import { games } from "./list.js";

/**
 * A room as everyone sees it; `view` is what its game makes of it, null before the first one.
 * @typedef {import("../net/messages.js").Room} Room
 * @typedef {import("../net/messages.js").HubWelcome} Welcome
 * @typedef {{players: string[], spectators: number}} Presence
 * @typedef {Pick<Welcome, "room" | "you" | "names" | "version" | "diverged" | "chat">
 *   & {view: any, presence: Presence}} RoomState
 */

/** Lines of chat that are kept, as in a `welcome`. */
const CHAT_LIMIT = 50;

/**
 * Computers that hold a seat have ids of their own.
 * @param {string} [player]
 */
export const isComputer = (player) => player?.startsWith("bot-") ?? false;

/**
 * A room as everyone sees it: what `welcome` says, moved on by the events behind it. The one given never changes.
 * @param {any} state null before the first welcome
 * @param {any} message
 */
export function fold(state, message) {
  if (message.type === "welcome") {
    const { room, view, you, names, version, diverged, chat } = message;
    // Until the hub's first word on it: whoever is told this is here.
    const own = you.player && you.seat !== undefined ? { players: [you.player], spectators: 0 } : null;
    const presence = state?.presence ?? own ?? { players: [], spectators: 1 };
    return { room, view, you, names, version, diverged, chat, presence };
  }
  if (!state) return state;
  if (message.type === "resume") {
    return { ...state, you: message.you, names: message.names, chat: message.chat };
  }
  if (message.type === "chat") {
    const { from, text, t } = message;
    return { ...state, chat: [...state.chat, { from, text, t }].slice(-CHAT_LIMIT) };
  }
  if (message.type === "presence") {
    const { players, spectators, names } = message;
    return { ...state, presence: { players, spectators }, names: { ...state.names, ...names } };
  }
  if (typeof message.v !== "number" || typeof message.t !== "number") return state;
  return event({ ...state, version: message.v }, message);
}

/**
 * A room at version 1, from the `room-opened` of its log: where a replay begins.
 * @param {string} code
 * @param {any} opened
 * @param {{isHost: boolean, player?: string}} you
 */
export function open(code, opened, you = { isHost: false }) {
  const { v, t, type, ...fields } = opened;
  const count = fields.options.seats ?? games[fields.game]?.seats[1] ?? 1;
  const seats = Array.from({ length: count }, (_, seat) => ({ seat }));
  const room = { code, ...fields, status: "waiting", seats, gameNumber: 0 };
  const isHost = you.player !== undefined && you.player === room.host;
  return {
    room, view: null, you: { ...you, isHost }, names: {}, version: v, diverged: undefined, chat: [],
    presence: { players: [], spectators: 0 },
  };
}

const only = (/** @type {Record<string, any>} */ fields, /** @type {string[]} */ ...names) =>
  Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));

function event(/** @type {RoomState} */ state, /** @type {any} */ message) {
  const room = /** @type {Room} */ (roomAfter(state.room, message));
  const game = games[room.game];
  const view = viewAfter(state, game, message);
  const seat = room.seats.find(({ player }) => player !== undefined && player === state.you.player)?.seat;
  const presence = presenceAfter(state.presence, message);
  // Who has come just now bears a name that is not known yet: told with the next word on who is here.
  const isNew = message.type === "seat-taken" && !(message.player in state.names) && !isComputer(message.player);
  const names = isNew ? { ...state.names, [message.player]: "…" } : state.names;
  return { ...state, room, view, presence, names, you: { ...state.you, seat, isHost: room.host === state.you.player } };
}

/**
 * @param {RoomState} state
 * @param {import("./game.js").Game<any>} game
 * @param {any} message
 */
function viewAfter({ room, view }, game, message) {
  if (message.type === "game-started") return game.start(message);
  // Of a game that is over no clock runs; what an outage moves is then the room's own.
  if (!view || (message.type === "clock-extended" && room.status !== "running")) return view;
  return game.fold(whateverTheGame(view, message, game.times), message);
}

/**
 * What some events do to a view, whatever the game.
 * @param {any} view
 * @param {any} fields
 * @param {any} [times]
 */
function whateverTheGame(view, { type, seat, deadline, ms }, times = []) {
  if (type === "turn") {
    const { deadline: before, ...next } = view;
    return deadline === undefined ? { ...next, turn: seat } : { ...next, turn: seat, deadline };
  }
  if (type !== "clock-extended") return view;
  const running = ["deadline", ...times].filter((name) => view[name] !== undefined);
  return { ...view, ...Object.fromEntries(running.map((name) => [name, view[name] + ms])) };
}

/** Who takes a seat is here and watches no longer, who frees one does, if here: the hub's next word comes later. */
function presenceAfter(/** @type {any} */ presence, /** @type {any} */ { type, player }) {
  if (type === "seat-taken" && !isComputer(player) && !presence.players.includes(player)) {
    return { ...presence, players: [...presence.players, player].sort() };
  }
  const change = /** @type {Record<string, number>} */ ({ "seat-taken": -1, "seat-freed": 1, "player-left": 1 })[type];
  if (!change || !presence.players.includes(player)) return presence;
  return { ...presence, spectators: Math.max(0, presence.spectators + change) };
}

const withSeat = (/** @type {Room} */ room, /** @type {number} */ seat, /** @type {(old: any) => any} */ change) =>
  ({ ...room, seats: room.seats.map((old) => (old.seat === seat ? change(old) : old)) });

/**
 * `names` without or with `player`, in order; no list at all where there is nobody.
 * @param {Room} room
 * @param {"muted" | "banned"} list
 * @param {string} player
 * @param {boolean} isOn
 */
function listed(room, list, player, isOn) {
  const { [list]: before = [], ...rest } = room;
  const players = before.filter((/** @type {any} */ other) => other !== player).concat(isOn ? [player] : []).sort();
  return players.length > 0 ? { ...rest, [list]: players } : rest;
}

function roomAfter(/** @type {Room} */ room, /** @type {any} */ { type, v, t, ...fields }) {
  switch (type) {
    case "seat-taken": return withSeat(room, fields.seat, () => fields);
    case "seat-freed": case "player-left": return withSeat(room, fields.seat, ({ seat }) => ({ seat }));
    case "seat-helped": return withSeat(room, fields.seat, (old) => ({ ...old, helped: fields.level }));
    case "seat-returned": return withSeat(room, fields.seat, ({ helped, ...old }) => old);
    case "host-changed": return { ...room, host: fields.player };
    case "player-muted": return listed(room, "muted", fields.player, fields.on);
    case "player-banned": return listed(room, "banned", fields.player, fields.on);
    case "dealing": return { ...room, status: "dealing", dealing: fields };
    case "ready": return ready(room, fields);
    case "clock-extended": {
      if (!room.dealing) return room;
      return { ...room, dealing: { ...room.dealing, deadline: room.dealing.deadline + fields.ms } };
    }
    case "options-changed": {
      const count = fields.options.seats ?? room.seats.length;
      const seats = Array.from({ length: count }, (_, seat) => room.seats[seat] ?? { seat });
      return { ...room, options: fields.options, seats };
    }
    case "game-started": {
      const { results, reason, reveal, dealing, ...rest } = room;
      return { ...rest, status: "running", gameNumber: fields.number, players: fields.seats, first: fields.first };
    }
    case "game-ended": {
      const { commitment, dealing, ...before } = room;
      const seats = room.seats.map(({ helped, ...seat }) => seat);
      // A game that could not be dealt: the one before it, if any, is still what there is to see.
      const gameNumber = dealing ? fields.number : room.gameNumber, status = room.players ? "ended" : "waiting";
      const end = only(fields, "results", "reason", "reveal", "commitment");
      return { ...before, ...end, seats, gameNumber, status };
    }
    case "room-closed": {
      const { commitment, ...before } = room;
      return { ...before, status: "closed" };
    }
    default: return room;
  }
}

/**
 * A seat has opened its nonce, and perhaps promised another.
 * @param {any} room
 * @param {any} fields
 */
function ready(room, { seat, nonce, commitment }) {
  const { dealing } = room;
  const seats = dealing.seats.map((/** @type {any} */ one) => (one.seat === seat ? { ...one, nonce } : one));
  const awaited = dealing.awaited.filter((/** @type {any} */ other) => other !== seat);
  const next = withSeat(room, seat, ({ commitment: opened, ...old }) => (commitment ? { ...old, commitment } : old));
  return { ...next, dealing: { ...dealing, seats, awaited } };
}
