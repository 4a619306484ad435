// @ts-check
import { Heartbeat } from "./heartbeat.js";

/** Waits between attempts to connect, in ms: doubled each time, with chance in it. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;
/** How often the list is asked for while there is no line, in ms. */
const ASK_EVERY = 4_000;
/** Nothing heard for so long, though asked: the line is dead, whatever the socket says. */
const SILENCE = 20_000;
const PING_EVERY = 10_000;

/**
 * A room as lists show it.
 * @typedef {import("./messages.js").Summary} Room
 * @typedef {import("./messages.js").HubMessage} HubMessage
 * @typedef {import("./surroundings.js").Timer} Timer
 */

/**
 * The list after a message of the lobby; the one given does not change. What is new comes first, what has changed stays
 * where it is: nobody's finger finds another room than their eye did.
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
 * The list of open rooms, live over a WebSocket; asked for now and then while there is none.
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
   * @param {(rooms: Room[]) => void} draw called with the whole list, each time it has changed
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
    // Where sockets are swallowed on the way, nobody waits for the list until that is known.
    this.#asking = world.later(() => this.#ask(), ASK_EVERY / 4);
  }

  /** The list as it was last told. */
  get rooms() { return this.#rooms; }

  /** Whether the list is live: what it lacks is not there. */
  get isLive() { return this.#isLive; }

  /** Whether the hub was tried and not reached. */
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

  /** The browser has lost its network: the line is given up before its silence tells. */
  offline() { if (this.#socket) this.#giveUp(); }

  /** It has one again: what is under way began without, and is not waited for. */
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
    // Also while its handshake lasts, which may never end.
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
    // The list shows what it last knew; the next try is seconds away.
    const rooms = await this.#world.ask().catch(() => null);
    if (this.#isClosed || this.#isLive) return;
    if (rooms) this.#show(rooms);
    this.#asking = this.#world.later(() => this.#ask(), ASK_EVERY);
  }

  #ping() {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify({ type: "ping", n: 0 }));
  }
}
