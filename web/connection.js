// @ts-check

/** Waits between attempts to connect, in ms: doubled each time, with chance in it so that not all come back at once. */
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8000;
/** A round trip that takes longer than this means that the line is dead, whatever the socket says. */
const SILENCE = 12000;
const PING_EVERY = 5000;

/**
 * @typedef {Object} Surroundings
 * @property {(url: string, protocol: string) => WebSocket} socket
 * @property {(act: () => void, ms: number) => any} later
 * @property {(timer: any) => void} cancel
 * @property {() => number} now
 * @property {() => number} random between 0 and 1
 */

/**
 * A room's connection: says hello, resumes where it was after a break, sends unanswered commands again under the same
 * ids, and passes on each message once and in order.
 */
export class RoomConnection {
  #url; #token; #on; #world;
  #socket = null; #timer = null; #heartbeat = null;
  #attempt = 0; #isClosed = false; #lastHeard = 0;
  #version = 0; #head = null; #headVersion = -1; #hasGreeting = false;
  #page; #count = 0;
  /** @type {Map<string, {message: object, settle: (answer: any) => void}>} */
  #pending = new Map();

  /**
   * @param {string} url
   * @param {string | null} token
   * @param {{message: (message: any) => void, state: (state: "connecting" | "open" | "lost") => void}} on
   * @param {Surroundings} world
   */
  constructor(url, token, on, world) {
    this.#url = url;
    this.#token = token;
    this.#on = on;
    this.#world = world;
    this.#page = Array.from({ length: 4 }, () => Math.floor(world.random() * 65536).toString(16).padStart(4, "0")).join("");
    this.#connect();
  }

  /** Sends a command; resolves to its `ok` or `error`, also if the line breaks meanwhile. */
  command(type, fields = {}) {
    const id = `${this.#page}-${++this.#count}`;
    const message = { type, id, ...fields };
    return new Promise((settle) => {
      this.#pending.set(id, { message, settle });
      if (this.#hasGreeting) this.#send(message);
    });
  }

  /** Says hello again as somebody else, or to fetch what was missed. */
  greet(token = this.#token) {
    this.#token = token;
    this.#hello();
  }

  /** The page was asleep or the network changed: finds out at once whether the line still holds. */
  check() {
    if (this.#socket?.readyState === 1) this.#ping();
    else if (!this.#isClosed) {
      this.#world.cancel(this.#timer);
      this.#connect();
    }
  }

  close() {
    this.#isClosed = true;
    this.#world.cancel(this.#timer);
    this.#world.cancel(this.#heartbeat);
    this.#socket?.close(1000);
  }

  #connect() {
    if (this.#socket && this.#socket.readyState < 2) return;
    this.#on.state("connecting");
    this.#hasGreeting = false;
    const socket = this.#world.socket(this.#url, "flipside.v1");
    this.#socket = socket;
    socket.onopen = () => {
      this.#lastHeard = this.#world.now();
      this.#hello();
      this.#beat();
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#lastHeard = this.#world.now();
      this.#receive(JSON.parse(data));
    };
    socket.onclose = () => { if (socket === this.#socket) this.#lost(); };
  }

  #lost() {
    this.#socket = null;
    this.#hasGreeting = false;
    this.#world.cancel(this.#heartbeat);
    if (this.#isClosed) return;
    this.#on.state("lost");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt++);
    this.#timer = this.#world.later(() => this.#connect(), pause * (0.5 + this.#world.random() / 2));
  }

  #hello() {
    const hello = { type: "hello" };
    if (this.#token) hello.token = this.#token;
    if (this.#version > 0) hello.after = this.#version;
    if (this.#version > 0 && this.#headVersion === this.#version) hello.head = this.#head;
    this.#send(hello);
  }

  #receive(message) {
    if (message.type === "welcome" || message.type === "resume") return this.#greeted(message);
    if (typeof message.v === "number" && typeof message.t === "number") return this.#event(message);
    if ((message.type === "ok" || message.type === "error") && this.#pending.has(message.id)) {
      this.#pending.get(message.id)?.settle(message);
      this.#pending.delete(message.id);
    }
    this.#on.message(message);
  }

  #greeted(message) {
    // What a resume brings comes behind it; the version moves with each event.
    if (message.type === "welcome") [this.#version, this.#head, this.#headVersion] = [message.version, message.head, message.version];
    this.#attempt = 0;
    this.#hasGreeting = true;
    this.#on.state("open");
    this.#on.message(message);
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  #event(message) {
    if (message.v <= this.#version) return;
    if (message.v > this.#version + 1) return this.#hello();
    this.#version = message.v;
    this.#on.message(message);
  }

  #beat() {
    this.#world.cancel(this.#heartbeat);
    this.#heartbeat = this.#world.later(() => {
      if (this.#world.now() - this.#lastHeard > SILENCE) {
        const dead = this.#socket;
        this.#lost();
        dead?.close();
        return;
      }
      this.#ping();
      this.#beat();
    }, PING_EVERY);
  }

  #ping() { this.#send({ type: "ping", n: Math.floor(this.#world.now()) }); }

  #send(message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }
}
