// @ts-check
import * as memory from "./memory.js";

/** The games that a room may play, by name: each has `start`, `fold` and `sentence`. */
export const games = { memory };

/**
 * A room as everyone sees it: what `welcome` says, moved on by the events behind it. The one given never changes.
 * @param {any} state null before the first welcome
 * @param {any} message
 */
export function fold(state, message) {
  if (message.type === "welcome") {
    const { room, view, you, names, version, diverged } = message;
    return { room, view, you, names, version, diverged, presence: state?.presence ?? { players: [], spectators: 0 } };
  }
  if (!state) return state;
  if (message.type === "resume") return { ...state, you: message.you, names: { ...state.names, ...message.names } };
  if (message.type === "presence") {
    const { players, spectators, names } = message;
    return { ...state, presence: { players, spectators }, names: { ...state.names, ...names } };
  }
  if (typeof message.v !== "number" || typeof message.t !== "number") return state;
  return event({ ...state, version: message.v }, message);
}

const only = (fields, ...names) =>
  Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));

function event(state, message) {
  const room = roomAfter(state.room, message);
  const game = games[room.game];
  const view = message.type === "game-started" ? game.start(message) : state.view && game.fold(state.view, message);
  const seat = room.seats.find(({ player }) => player !== undefined && player === state.you.player)?.seat;
  const presence = presenceAfter(state.presence, message);
  return { ...state, room, view, presence, you: { ...state.you, seat, isHost: room.host === state.you.player } };
}

/** Who takes a seat watches no longer, who frees one does, if here: the hub's next word on it may be long in coming. */
function presenceAfter(presence, { type, player }) {
  const change = { "seat-taken": -1, "seat-freed": 1, "player-left": 1 }[type];
  if (!change || !presence.players.includes(player)) return presence;
  return { ...presence, spectators: Math.max(0, presence.spectators + change) };
}

const withSeat = (room, seat, player) =>
  ({ ...room, seats: room.seats.map((old) => (old.seat === seat ? (player ? { seat, player } : { seat }) : old)) });

function roomAfter(room, { type, ...fields }) {
  switch (type) {
    case "seat-taken": return withSeat(room, fields.seat, fields.player);
    case "seat-freed": case "player-left": return withSeat(room, fields.seat, null);
    case "host-changed": return { ...room, host: fields.player };
    case "options-changed": {
      const count = fields.options.seats ?? room.seats.length;
      const seats = Array.from({ length: count }, (_, seat) => room.seats[seat] ?? { seat });
      return { ...room, options: fields.options, seats };
    }
    case "game-started": {
      const { results, reason, reveal, ...rest } = room;
      return { ...rest, status: "running", gameNumber: fields.number, players: fields.seats, first: fields.first };
    }
    case "game-ended": {
      const { commitment, ...before } = room;
      return { ...before, ...only(fields, "results", "reason", "reveal", "commitment"), status: "ended" };
    }
    case "room-closed": {
      const { commitment, ...before } = room;
      return { ...before, status: "closed" };
    }
    default: return room;
  }
}
