// @ts-check
import { fold } from "../games/room.js";
import { RoomConnection } from "../net/connection.js";
import { followNetwork, socketURL } from "../net/network.js";
import { browser } from "../net/surroundings.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../games/room.js").HubMessage} HubMessage */

/** A room over its line, for the parts of its page: its state, and commands to it. */
export class RoomSession {
  /** From `welcome` and the events; null before the first welcome, when no part of the page reads it. */
  state = /** @type {RoomState} */ (/** @type {unknown} */ (null));
  /** @type {import("../net/connection.js").LineState} */
  lineState = "connecting";
  #line = /** @type {RoomConnection | null} */ (null);
  #token = /** @type {string | null} */ (null);
  #unfollow = () => {};

  /** @param {string} code */
  constructor(code) { this.code = code; }

  /**
   * Opens the line; `hear` gets each message with the state before it, and `line` the changes of the line's state.
   * @param {string | null} token
   * @param {{hear: (message: HubMessage, before: RoomState) => void, line: () => void}} on
   */
  connect(token, { hear, line }) {
    this.#token = token;
    const message = (/** @type {HubMessage} */ message) => {
      const before = this.state;
      this.state = /** @type {RoomState} */ (fold(before, message));
      hear(message, before);
    };
    const state = (/** @type {import("../net/connection.js").LineState} */ state) => {
      this.lineState = state;
      line();
    };
    this.#line = new RoomConnection(
      socketURL(`/ws/rooms/${encodeURIComponent(this.code)}`), token, { message, state }, browser);
    this.#unfollow = followNetwork(this.#line);
  }

  /** For good: the room does not exist. */
  close() {
    this.#unfollow();
    this.#line?.close();
  }

  /**
   * Resolves to the hub's `ok` or `error`.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<import("../net/connection.js").Answer>}
   */
  command(type, fields) { return /** @type {RoomConnection} */ (this.#line).command(type, fields); }

  /**
   * Says hello as another player.
   * @param {string | null} token
   */
  greet(token) {
    this.#token = token;
    this.#line?.greet(token);
  }

  /**
   * The browser's player may have changed.
   * @param {string | null} token
   */
  follow(token) { if (token !== this.#token) this.greet(token); }

  /** The hub's clock, in ms since 1970. */
  get hubTime() { return this.#line?.hubTime ?? browser.now(); }

  /** The latest round trip to the hub, in ms; null before the first. */
  get trip() { return this.#line?.trip ?? null; }
}
