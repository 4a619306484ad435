// @ts-check
import { fold, open } from "./room.js";

/** @typedef {import("./room.js").RoomState} RoomState */
/** @typedef {import("./room.js").RecordedEvent} RecordedEvent */

/** A state is kept after this many events: any other is at most this many folds away. */
const KEEP_EVERY = 128;

/**
 * A room at every version of its log, by the same fold that a live page uses: `at` a version returns what a `welcome`
 * said then.
 */
export class Timeline {
  /** The event of version v at index v - 1. */
  events = /** @type {RecordedEvent[]} */ ([]);
  /** The known names of players, by id. */
  names = /** @type {Record<string, string>} */ ({});
  #code; #you;
  /** The states of versions 1, 1 + KEEP_EVERY, 1 + 2 KEEP_EVERY, ... */
  #kept = /** @type {RoomState[]} */ ([]);
  /** The state last asked for: the next request is mostly one event away. */
  #near = /** @type {RoomState | null} */ (null);
  /** All players who ever sat down: a replay shows none as absent. */
  #players = /** @type {Set<string>} */ (new Set());

  /**
   * @param {string} code the room's
   * @param {string} [player] the viewer, if it is a player
   */
  constructor(code, player) {
    this.#code = code;
    this.#you = { isHost: false, ...(player && { player }) };
  }

  /** The version of the last event. */
  get length() { return this.events.length; }

  /**
   * Adds `event` and returns true if it is the next one.
   * @param {RecordedEvent | null} event
   */
  add(event) {
    if (event?.v !== this.length + 1) return false;
    this.events.push(event);
    if (event.type === "seat-taken") this.#players.add(event.player);
    return true;
  }

  /**
   * The room right after the event of `version`, from 1 to `length`.
   * @param {number} version
   * @returns {RoomState}
   */
  at(version) {
    let state = this.#nearest(version);
    while (state.version < version) {
      state = /** @type {RoomState} */ (fold(state, this.events[state.version]));
      this.#keep(state);
    }
    this.#near = state;
    return { ...state, names: this.names, presence: { players: [...this.#players], spectators: 0 } };
  }

  /**
   * The latest known state that is not past `version`.
   * @param {number} version
   */
  #nearest(version) {
    const opened = /** @type {import("../net/messages.js").EventRoomOpened} */ (this.events[0]);
    if (this.#kept.length === 0) this.#keep(open(this.#code, opened, this.#you));
    const kept = this.#kept[Math.min(this.#kept.length - 1, Math.floor((version - 1) / KEEP_EVERY))];
    return this.#near && this.#near.version <= version && this.#near.version > kept.version ? this.#near : kept;
  }

  #keep(/** @type {RoomState} */ state) {
    if (state.version === 1 + this.#kept.length * KEEP_EVERY) this.#kept.push(state);
  }
}
