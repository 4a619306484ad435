// @ts-check
import { Heartbeat } from "./heartbeat.js";
import { HubClock } from "./hub-clock.js";
import { HubSearch } from "./hub-search.js";
import { LogPosition } from "./log-position.js";
import { CLOSED, DIVERGED, PendingCommands } from "./pending-commands.js";
import { QuietRestart } from "./quiet-restart.js";
import { reconnectPause } from "./reconnect-pause.js";
import { askForRoom } from "./room-question.js";

/**
 * A handshake that takes longer than this, in ms, is abandoned: a network that drops packets never says no. The limit
 * doubles each time, up to a maximum, because the network may just be slow.
 */
const FIRST_HANDSHAKE = 3_000, LONGEST_HANDSHAKE = 10_000;
/** After this long without an answer the line is in doubt. Or after twice its round trip, if that is longer. */
const DOUBT = 900;
/** After this long without an answer the line is dead, no matter what the socket says. */
const SILENCE = 12_000;
/** A line that held this long, in ms, and breaks without a word from the hub, is tried again at once. */
const HELD = 1_000;
const BROKEN = 1006, RESTART = 1012;
/**
 * @typedef {"connecting" | "open" | "doubtful" | "lost" | "ended"} LineState
 * @typedef {import("./messages.js").HubMessage} HubMessage
 * @typedef {import("./messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("./pending-commands.js").Answer} Answer
 * @typedef {import("./surroundings.js").Timer} Timer
 */

/**
 * A room's connection: says hello, resumes where it was after a break, resends unanswered commands under the same ids,
 * and delivers each message once and in order.
 */
export class RoomConnection {
  #url; #token; #on; #world;
  /** @type {WebSocket | null} */
  #socket = null;
  #heartbeat; #search; #clock; #quiet;
  #attempt = 0; #spread = 0;
  /** Timers. */
  #reconnect = /** @type {Timer} */ (undefined); #handshake = /** @type {Timer} */ (undefined);
  /** The answer to all commands once the line is closed for good. */
  #end = /** @type {import("./messages.js").HubError | null} */ (null);
  /** Whether the last handshake was refused, and whether a greeting ever came. */
  #isRefused = false; #wasGreeted = false;
  #giveUpQuestion = () => {};
  #position; #pending;
  #isGreeted = false; #greetedAt = 0; #isAskingAgain = false;

  /**
   * @param {string} url
   * @param {string | null} token null: a spectator without a name
   * @param {{message: (message: HubMessage) => void,
   *   state: (state: LineState, error?: import("./messages.js").HubError) => void}} on `ended`, with the reason, is the
   *   last state: the room does not exist
   * @param {import("./surroundings.js").Surroundings} world
   * @param {number} [after] the version of the last known event: the events after it come first
   */
  constructor(url, token, on, world, after = 0) {
    this.#url = url;
    this.#token = token;
    this.#on = on;
    this.#world = world;
    this.#position = new LogPosition(after);
    this.#pending = new PendingCommands(world.random);
    this.#clock = new HubClock(world.now);
    this.#quiet = new QuietRestart(world, () => this.#on.state("lost"));
    this.#search = new HubSearch(world, url, () => this.#found());
    this.#heartbeat = new Heartbeat(world, {
      every: 2_000, silence: SILENCE, dead: () => this.#giveUp(this.#socket),
      ask: () => this.#send({ type: "ping", n: Math.floor(world.now()) }),
      doubt: {
        after: () => Math.max(DOUBT, 2 * (this.trip ?? 0)), isOwed: () => this.#isGreeted && this.#pending.count > 0,
        began: () => this.#doubt(), ended: () => this.#trust(),
      },
    });
    this.#connect();
  }

  /** The hub's clock, in ms since 1970: deadlines refer to it. */
  get hubTime() { return this.#clock.time; }

  /** The latest round trip to the hub, in ms; null before the first. */
  get trip() { return this.#clock.trip; }

  /**
   * Sends a command; resolves to its `ok` or `error`, even if the line breaks in between. Commands before the first
   * greeting go out together with `hello`, which saves a round trip. Once the line is closed the answer is an `error`
   * `closed`, though the hub may have executed the command.
   * @param {string} type
   * @param {object} fields
   * @returns {Promise<Answer>}
   */
  command(type, fields = {}) {
    if (this.#end) return Promise.resolve(this.#end);
    return this.#pending.add(type, fields, (message) => {
      // After a break the state may differ from the one this command was meant for.
      if (!this.#isGreeted && this.#position.version > 0) return;
      this.#send(message);
      if (this.#isGreeted) this.#heartbeat.asked();
    });
  }

  /** Says hello as another player. */
  greet(/** @type {string | null} */ token) {
    this.#token = token;
    this.#hello();
  }

  /** The page was asleep or the network changed: checks at once whether the line still works. */
  check() {
    if (this.#end) return;
    if (this.#socket?.readyState === 1) return this.#heartbeat.hurry();
    if (this.#socket) return;
    this.#attempt = 0;
    this.#anew();
  }

  /** The browser has lost its network: gives the line up before its silence would show it. */
  offline() { if (this.#socket) this.#giveUp(this.#socket); }

  /** The network is back. Attempts that began without it are abandoned. */
  online() {
    if (this.#end) return;
    if (this.#socket?.readyState === 1 && !this.#heartbeat.isInDoubt) return this.check();
    this.#attempt = 0;
    this.#anew();
  }

  /** For good: waiting commands are answered `closed`. */
  close() { this.#endWith(CLOSED); }

  #endWith(/** @type {import("./messages.js").HubError} */ error) {
    this.#end ??= error;
    this.#quiet.end();
    this.#drop()?.close(1000);
    for (const id of this.#pending.ids) this.#pending.settle(id, this.#end);
  }

  #connect() {
    this.#clock.trip = null;
    this.#isRefused = false;
    if (!this.#quiet.isOn) this.#on.state("connecting");
    const socket = this.#world.socket(this.#url, "flipside.v1");
    this.#socket = socket;
    // An old socket may still speak after it was given up. Only the newest one counts.
    /**
     * @template {Event} Kind
     * @param {(event: Kind) => void} act
     */
    const ifCurrent = (act) => (/** @type {Kind} */ event) => { if (socket === this.#socket) act(event); };
    let hasOpened = false;
    socket.onopen = ifCurrent(() => {
      hasOpened = true;
      this.#world.cancel(this.#handshake);
      this.#hello();
      if (this.#position.version === 0) for (const message of this.#pending.messages) this.#send(message);
      this.#heartbeat.start();
    });
    socket.onmessage = ifCurrent((/** @type {MessageEvent} */ { data }) => {
      this.#heartbeat.heard();
      this.#receive(JSON.parse(data));
    });
    socket.onclose = ifCurrent((/** @type {CloseEvent} */ { code }) => {
      this.#isRefused = !hasOpened;
      this.#lost(code, this.#spread);
    });
    // Node throws if nothing listens. The close event that follows is enough.
    socket.onerror = () => {};
    const patience = Math.min(LONGEST_HANDSHAKE, FIRST_HANDSHAKE * 2 ** this.#attempt);
    this.#handshake = this.#world.later(() => this.#giveUp(socket), patience);
  }

  /**
   * The hub answers. A browser does not say why a handshake was refused, so ask the hub again by HTTP. This ends the
   * line only if it has never seen the room: a hub started with the wrong log may be restarted with the right one.
   */
  #found() {
    if (!this.#isRefused || this.#wasGreeted || this.#position.version > 0) return this.#anew();
    this.#giveUpQuestion = askForRoom(this.#world, this.#url, {
      there: () => this.#anew(),
      missing: (error) => {
        this.#endWith(error);
        this.#on.state("ended", error);
      },
    });
  }

  /** Opens another line at once. */
  #anew() {
    const before = this.#drop();
    this.#connect();
    before?.close();
  }

  /** If another request is answered before this line speaks, a new line is better than this one. */
  #doubt() {
    if (!this.#isGreeted) return;
    this.#on.state("doubtful");
    this.#search.begin();
  }

  #trust() {
    if (!this.#isGreeted) return;
    this.#search.end();
    this.#on.state("open");
  }

  #giveUp(/** @type {WebSocket | null} */ socket) {
    if (!socket || socket !== this.#socket) return;
    this.#lost();
    socket.close();
  }

  /** `spread` if the socket has closed by itself: its node may have died, with many clients. */
  #lost(code = BROKEN, spread = 0) {
    this.#spread = 0;
    const isAtOnce = code === BROKEN && !spread && this.#isGreeted && this.#world.now() - this.#greetedAt >= HELD;
    if (code === RESTART && this.#isGreeted) this.#quiet.begin();
    this.#drop();
    if (!this.#quiet.isOn) this.#on.state("lost");
    if (isAtOnce) return this.#search.begin();
    const pause = reconnectPause(this.#attempt++, spread, this.#world.random);
    this.#reconnect = this.#world.later(() => this.#search.begin(), pause);
  }

  /** Ends everything in progress; nothing listens to the old socket any longer. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#isGreeted = false;
    this.#isAskingAgain = false;
    this.#heartbeat.stop();
    this.#search.end();
    for (const timer of [this.#handshake, this.#reconnect]) this.#world.cancel(timer);
    this.#giveUpQuestion();
    return socket;
  }

  #hello() {
    /** @type {import("./messages.js").ClientHello} */
    const hello = { type: "hello", ...this.#position.fields };
    if (this.#token) hello.token = this.#token;
    this.#send(hello);
  }

  #receive(/** @type {HubMessage} */ message) {
    if (message.type === "welcome" || message.type === "resume") return this.#greeted(message);
    if ("v" in message && "t" in message) return this.#event(message);
    if (message.type === "pong") return this.#measure(message);
    // A refused hello brings nothing: the next gap asks again.
    if (message.type === "error" && message.id === undefined) this.#isAskingAgain = false;
    this.#on.message(message);
    if (message.type === "ok" || message.type === "error") this.#pending.settle(message.id ?? "", message);
  }

  #greeted(/** @type {import("./messages.js").HubWelcome | import("./messages.js").HubResume} */ message) {
    // The page's answers to this greeting go out by themselves. Before the first one, all went with `hello`.
    const unanswered = this.#position.version === 0 ? [] : this.#pending.ids;
    this.#position.greeted(message);
    [this.#attempt, this.#spread] = [0, message.spread ?? 0];
    this.#quiet.end();
    if (!this.#isGreeted) this.#greetedAt = this.#world.now();
    this.#isGreeted = this.#wasGreeted = true;
    this.#isAskingAgain = false;
    this.#clock.greeted(message.now);
    this.#heartbeat.ask();
    this.#on.state("open");
    this.#on.message(message);
    for (const id of unanswered) {
      const command = this.#pending.message(id);
      // It was meant for a state that never existed: no one should make that move, or ban anyone, blindly.
      if (message.type === "welcome" && message.diverged) this.#pending.settle(id, DIVERGED);
      else if (command) this.#send(command);
    }
  }

  #event(/** @type {RecordedEvent} */ message) {
    if (message.v <= this.#position.version) return;
    if (message.v > this.#position.version + 1) {
      // One question is enough; its answer brings all events after the gap.
      if (!this.#isAskingAgain) this.#hello();
      this.#isAskingAgain = true;
      return;
    }
    this.#position.advance();
    this.#on.message(message);
  }

  #measure(/** @type {import("./messages.js").HubPong} */ { n, now }) {
    const trip = this.#world.now() - n;
    // Unless the page slept before it heard this.
    if (trip <= SILENCE) this.#clock.answered(trip, now);
  }

  #send(/** @type {object} */ message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }
}
