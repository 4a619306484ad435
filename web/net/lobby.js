// @ts-check
import { Heartbeat } from "./heartbeat.js";

/** Pauses between attempts to connect, in ms: doubled each time, with jitter. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;
/** How often to ask for the list while there is no line, in ms. */
const ASK_EVERY = 4_000;
/** After this long without an answer the line is dead, no matter what the socket says. */
const SILENCE = 20_000;
const PING_EVERY = 10_000;

/**
 * A room as lists show it.
 * @typedef {import("./messages.js").Summary} Room
 * @typedef {import("./messages.js").HubMessage} HubMessage
 * @typedef {import("./surroundings.js").Timer} Timer
 */

/**
 * The list after a message of the lobby; the given one does not change. New rooms come first, changed ones keep their
 * place, so that a finger hits the room that the eye saw.
 * @param {Room[]} rooms
 * @param {HubMessage} message
 * @returns {Room[]}
 */
export function foldRooms(rooms, message) {
  switch (message.type) {
    case "rooms": return message.rooms;
    case "room": {
      const { room } = message;
      const isKnown = rooms.some(({ code }) => code === room.code);
      return isKnown ? rooms.map((old) => (old.code === room.code ? room : old)) : [room, ...rooms];
    }
    case "room-gone": return rooms.filter(({ code }) => code !== message.code);
    default: return rooms;
  }
}

/**
 * The list of open rooms, live over a WebSocket; while there is none, it is asked for now and then.
 * @typedef {import("./surroundings.js").Surroundings & {ask: () => Promise<Room[]>}} LobbySurroundings
 */
export class Lobby {
  #url; #draw; #world;
  /** @type {Room[]} */
  #rooms = [];
  /** @type {WebSocket | null} */
  #socket = null;
  #attempt = 0; #isClosed = false; #isLive = false;
  #heartbeat; #reconnect = /** @type {Timer} */ (undefined); #asking = /** @type {Timer} */ (undefined);

  /**
   * @param {string} url
   * @param {(rooms: Room[]) => void} draw called with the whole list whenever it changes
   * @param {LobbySurroundings} world
   */
  constructor(url, draw, world) {
    this.#url = url;
    this.#draw = draw;
    this.#world = world;
    this.#heartbeat = new Heartbeat(world, {
      every: PING_EVERY, silence: SILENCE, ask: () => this.#ping(), dead: () => this.#giveUp(),
    });
    this.#connect();
    // Ask early, in case the network blocks WebSockets: the list should not wait until that is known.
    this.#asking = world.later(() => this.#ask(), ASK_EVERY / 4);
  }

  /** The list as last received. */
  get rooms() { return this.#rooms; }

  /** Whether the list is live, and so complete. */
  get isLive() { return this.#isLive; }

  /** Whether the hub could not be reached. */
  get isLost() { return !this.#isLive && this.#attempt > 0; }

  /** The page was asleep or the network changed. */
  check() {
    if (this.#isClosed) return;
    if (this.#socket?.readyState === 1) return this.#heartbeat.hurry();
    if (!this.#socket) {
      this.#attempt = 0;
      this.#connect();
    }
  }

  /** The browser has lost its network: gives the line up before its silence would show it. */
  offline() { if (this.#socket) this.#giveUp(); }

  /** The network is back. Attempts that began without it are abandoned. */
  online() {
    if (this.#isClosed || this.#socket?.readyState === 1) return this.check();
    const hanging = this.#socket;
    this.#attempt = 0;
    this.#connect();
    hanging?.close();
  }

  close() {
    this.#isClosed = true;
    this.#heartbeat.stop();
    for (const timer of [this.#reconnect, this.#asking]) this.#world.cancel(timer);
    this.#socket?.close(1000);
    this.#socket = null;
  }

  #connect() {
    this.#world.cancel(this.#reconnect);
    const socket = this.#world.socket(this.#url, "flipside.v1");
    this.#socket = socket;
    /**
     * @template {Event} Kind
     * @param {(event: Kind) => void} act
     */
    const ifCurrent = (act) => (/** @type {Kind} */ event) => { if (socket === this.#socket) act(event); };
    socket.onmessage = ifCurrent((/** @type {MessageEvent} */ { data }) => this.#receive(JSON.parse(data)));
    socket.onclose = ifCurrent(() => this.#lost());
    // During the handshake too, which may never end.
    this.#heartbeat.start();
  }

  #receive(/** @type {HubMessage} */ message) {
    this.#heartbeat.heard();
    if (message.type === "rooms") {
      this.#attempt = 0;
      this.#isLive = true;
      this.#world.cancel(this.#asking);
    }
    const rooms = foldRooms(this.#rooms, message);
    if (rooms !== this.#rooms) this.#show(rooms);
  }

  #show(/** @type {Room[]} */ rooms) {
    this.#rooms = rooms;
    this.#draw(rooms);
  }

  #giveUp() {
    const socket = this.#socket;
    this.#lost();
    socket?.close();
  }

  #lost() {
    this.#socket = null;
    this.#heartbeat.stop();
    if (this.#isClosed) return;
    if (this.#isLive) this.#asking = this.#world.later(() => this.#ask(), 0);
    this.#isLive = false;
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt++);
    this.#reconnect = this.#world.later(() => this.#connect(), pause * (0.5 + this.#world.random() / 2));
  }

  async #ask() {
    // Keep the last known list; the next try is seconds away.
    const rooms = await this.#world.ask().catch(() => null);
    if (this.#isClosed || this.#isLive) return;
    if (rooms) this.#show(rooms);
    this.#asking = this.#world.later(() => this.#ask(), ASK_EVERY);
  }

  #ping() {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify({ type: "ping", n: 0 }));
  }
}
