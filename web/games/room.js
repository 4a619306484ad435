// @ts-check
import { gameOf, isKnown } from "./list.js";
import { withProposal } from "./proposals.js";
import { knownPartOf } from "./unknown-game.js";
import { winsAfter } from "./wins.js";

/**
 * A room as everyone sees it; `view` is its game's part, null before the first game. `hand` is what only the viewer may
 * see of a running game. With `more` it is in the middle of a commit and takes no commands: the other events of the
 * commit follow at once.
 * @typedef {import("../net/messages.js").Room} Room
 * @typedef {import("../net/messages.js").HubWelcome} Welcome
 * @typedef {Room["seats"][number]} Seat
 * @typedef {import("./game.js").AnyView} AnyView
 * @typedef {{players: string[], spectators: number}} Presence
 * @typedef {Pick<Welcome, "room" | "you" | "names" | "version" | "diverged" | "chat">
 *   & {view: AnyView | null, presence: Presence, hand?: import("./game.js").Hand, more?: true}} RoomState
 * @typedef {import("../net/messages.js").HubMessage} HubMessage
 * @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent
 */

/** The name of a player that is not known yet. */
export const UNKNOWN_NAME = "…";

/** Lines of chat that are kept, as in a `welcome`. */
const CHAT_LIMIT = 50;

/**
 * Computers that hold a seat have ids of their own.
 * @param {string} [player]
 */
export const isComputer = (player) => player?.startsWith("bot-") ?? false;

/** The players who hold seats, in the order of seats. */
export const seatedIn = (/** @type {Room} */ { seats }) => seats.flatMap(({ player }) => player ?? []);

/**
 * The viewer is here, no matter what the last message on presence says, and a computer always is.
 * @param {RoomState} state
 * @param {string} player
 */
export const isHere = ({ presence, you }, player) =>
  player === you.player || isComputer(player) || presence.players.includes(player);

/** The seated players who are here. */
export const presentIn = (/** @type {RoomState} */ state) =>
  seatedIn(state.room).filter((player) => isHere(state, player));

/**
 * A room as everyone sees it: what `welcome` says, then the events after it. The given state never changes.
 * @param {RoomState | null} state null before the first welcome
 * @param {HubMessage} message
 * @returns {RoomState | null}
 */
export function fold(state, message) {
  if (message.type === "welcome") {
    const { room, you, names, presence, version, diverged, chat } = message;
    const view = message.view && !isKnown(room.game) ? knownPartOf(message.view) : message.view;
    return { room, view, you, names, version, diverged, chat, presence };
  }
  if (!state) return state;
  if (message.type === "resume") {
    const { you, names, presence, chat } = message, { hand, ...before } = state;
    // The hand of another account that this page had before is not the viewer's.
    const kept = hand && you.player === state.you.player ? { hand } : {};
    return { ...before, ...kept, you, names, presence, chat };
  }
  if (message.type === "chat") {
    const { from, text, t } = message;
    return { ...state, chat: [...state.chat, { from, text, t }].slice(-CHAT_LIMIT) };
  }
  if (message.type === "presence") {
    const { came, went, spectators, names } = message;
    const there = new Set([...state.presence.players, ...came]);
    for (const player of went) there.delete(player);
    return { ...state, presence: { players: [...there].sort(), spectators }, names: renamed(state.names, names) };
  }
  if (message.type === "hand") return message.seat === state.you.seat ? { ...state, hand: message.hand } : state;
  if (!isEvent(message)) return state;
  const { more, hand, ...before } = state;
  const kept = hand && !endsHand(state, message) ? { hand } : {};
  return event({ ...before, ...kept, version: message.v, ...(message.more && { more: true }) }, message);
}

/**
 * Whether the viewer's hand is over with an event. The hub sends it again if there is one.
 * @param {RoomState} state
 * @param {RecordedEvent} event
 */
const endsHand = ({ you }, event) => event.type === "game-started" || event.type === "game-ended"
  || (event.type === "player-left" && event.seat === you.seat);

/**
 * Whether a message is recorded. A hand has a version, but no time.
 * @param {HubMessage} message
 * @returns {message is RecordedEvent}
 */
const isEvent = (message) => "v" in message && "t" in message;

/**
 * A room at version 1, from the `room-opened` of its log: where a replay begins.
 * @param {string} code
 * @param {import("../net/messages.js").EventRoomOpened} opened
 * @param {{isHost: boolean, player?: string}} you
 * @returns {RoomState}
 */
export function open(code, opened, you = { isHost: false }) {
  const { v, t, type, more, ...fields } = opened;
  const seats = seatsFor(fields.game, fields.options, []);
  /** @type {Room} */
  const room = { code, ...fields, status: "waiting", seats, gameNumber: 0 };
  const isHost = you.player !== undefined && you.player === room.host;
  return {
    room, view: null, you: { ...you, isHost }, names: {}, version: v, diverged: undefined, chat: [],
    presence: { players: [], spectators: 0 },
  };
}

/**
 * @param {RoomState} state
 * @param {RecordedEvent} message
 */
function event(state, message) {
  const view = viewAfter(state, gameOf(state.room.game), message);
  const room = withProposal(roomAfter(state.room, message), state.room, message, view?.away);
  const seat = room.seats.find(({ player }) => player !== undefined && player === state.you.player)?.seat;
  // The hub sends the name of a new player with its next message about presence.
  const isNew = message.type === "seat-taken" && !(message.player in state.names) && !isComputer(message.player);
  const names = isNew ? { ...state.names, [message.player]: UNKNOWN_NAME } : state.names;
  return { ...state, room, view, names, you: { ...state.you, seat, isHost: room.host === state.you.player } };
}

/**
 * @param {RoomState} state
 * @param {ReturnType<typeof gameOf>} game
 * @param {RecordedEvent} message
 */
function viewAfter({ room, view }, game, message) {
  if (message.type === "game-started") return game.start(message);
  // A game that is over has no running clock; an outage then moves the room's own.
  if (!view || (message.type === "clock-extended" && room.status !== "running")) return view;
  return game.fold(withTurnAndClock(view, message, game.times), message);
}

/**
 * What some events do to a view of any game.
 * @param {AnyView} view
 * @param {RecordedEvent} event
 * @param {string[]} [times] fields that an outage moves, besides `deadline`
 * @returns {AnyView}
 */
function withTurnAndClock(view, event, times = []) {
  if (event.type === "turn" || event.type === "turns") {
    const { deadline: before, ...next } = view, { deadline } = event;
    const awaited = event.type === "turn" ? [event.seat] : event.seats;
    return { ...next, awaited, ...(deadline !== undefined && { deadline }) };
  }
  if (event.type === "game-ended") return { ...view, awaited: [] };
  if (event.type !== "clock-extended") return view;
  const fields = /** @type {Record<string, number | undefined>} */ (/** @type {unknown} */ (view));
  const moved = ["deadline", ...times].flatMap((name) => {
    const at = fields[name];
    return at === undefined ? [] : [[name, at + event.ms]];
  });
  return { ...view, ...Object.fromEntries(moved) };
}

/**
 * The seats that still play, in the order of turns.
 * @param {AnyView} view
 */
export const stillIn = ({ seats, left = [], out = [] }) =>
  seats.filter((seat) => !left.includes(seat) && !out.some((one) => one.seat === seat));

/**
 * As many seats as the options say, else the most that the game has, with their players. For an unknown game, the seats
 * mentioned so far: there may be more.
 * @param {string} game
 * @param {import("./game.js").RoomOptions} options
 * @param {Seat[]} seats the earlier ones
 */
function seatsFor(game, options, seats) {
  const count = options.seats ?? Math.max(gameOf(game).seats[1], seats.length);
  return Array.from({ length: count }, (_, seat) => seats[seat] ?? { seat });
}

/**
 * @param {Room} room
 * @param {number} seat
 * @param {(old: Seat) => Seat} change
 */
function withSeat(room, seat, change) {
  const count = Math.max(room.seats.length, seat + 1);
  const seats = Array.from({ length: count }, (_, number) => room.seats[number] ?? { seat: number });
  return { ...room, seats: seats.map((old) => (old.seat === seat ? change(old) : old)) };
}

/**
 * Names after the changes in `news`; null removes a name.
 * @param {Record<string, string>} names
 * @param {Record<string, string | null>} news
 */
function renamed(names, news) {
  const all = { ...names };
  for (const [player, name] of Object.entries(news)) {
    if (name === null) delete all[player];
    else all[player] = name;
  }
  return all;
}

/**
 * `names` with or without `player`, in order; no list at all if it is empty.
 * @param {Room} room
 * @param {"muted" | "banned"} list
 * @param {string} player
 * @param {boolean} isOn
 */
function listed(room, list, player, isOn) {
  const { [list]: before = [], ...rest } = room;
  const players = before.filter((other) => other !== player).concat(isOn ? [player] : []).sort();
  return players.length > 0 ? { ...rest, [list]: players } : rest;
}

/**
 * @param {Room} room
 * @param {RecordedEvent} event
 * @returns {Room}
 */
function roomAfter(room, event) {
  switch (event.type) {
    case "seat-taken": {
      const { type, v, t, more, ...seat } = event;
      return withSeat(room, seat.seat, () => seat);
    }
    case "seat-freed": case "player-left": return withSeat(room, event.seat, ({ seat }) => ({ seat }));
    case "seat-helped": return withSeat(room, event.seat, (old) => ({ ...old, helped: event.level }));
    case "seat-returned": return withSeat(room, event.seat, ({ helped, ...old }) => old);
    case "host-changed": return { ...room, host: event.player };
    case "player-muted": return listed(room, "muted", event.player, event.on);
    case "player-banned": return listed(room, "banned", event.player, event.on);
    case "dealing": {
      const { type, v, t, more, ...dealing } = event;
      return { ...room, status: "dealing", dealing };
    }
    case "ready": return ready(room, event);
    case "clock-extended": {
      if (!room.dealing) return room;
      return { ...room, dealing: { ...room.dealing, deadline: room.dealing.deadline + event.ms } };
    }
    case "options-changed": {
      return { ...room, options: event.options, seats: seatsFor(room.game, event.options, room.seats) };
    }
    case "visibility-changed": return { ...room, visibility: event.visibility };
    case "game-started": {
      const { results, reason, reveal, dealing, ...rest } = room;
      return { ...rest, status: "running", gameNumber: event.number, players: event.seats, first: event.first };
    }
    case "game-ended": {
      const { commitment, dealing, wins, winsUntil, ...before } = room;
      const seats = room.seats.map(({ helped, ...seat }) => seat);
      // The game could not be dealt. The one before it, if any, is still the one to show.
      const gameNumber = dealing ? event.number : room.gameNumber, status = room.players ? "ended" : "waiting";
      const { type, v, t, more, game, mode, number, unplayed, ...end } = event;
      return { ...before, ...end, seats, gameNumber, status, ...winsAfter(room, event) };
    }
    case "room-closed": {
      const { commitment, ...before } = room;
      return { ...before, status: "closed" };
    }
    default: return room;
  }
}

/**
 * A seat has opened its nonce, and may have committed to another.
 * @param {Room} room
 * @param {import("../net/messages.js").EventReady} event
 * @returns {Room}
 */
function ready(room, { seat, nonce, commitment }) {
  const dealing = /** @type {import("../net/messages.js").EventDealing} */ (room.dealing);
  const seats = dealing.seats.map((one) => (one.seat === seat ? { ...one, nonce } : one));
  const awaited = dealing.awaited.filter((other) => other !== seat);
  const next = withSeat(room, seat, ({ commitment: opened, ...old }) => (commitment ? { ...old, commitment } : old));
  return { ...next, dealing: { ...dealing, seats, awaited } };
}
