// @ts-check
import { gameOf } from "../games/list.js";
import { describe } from "../games/options.js";
import { Playback, SPEEDS } from "../games/playback.js";
import { sentence } from "../games/sentences.js";
import { Timeline } from "../games/timeline.js";
import { ofThisSeries } from "../games/wins.js";
import { RoomConnection } from "../net/connection.js";
import { followNetwork, socketURL } from "../net/network.js";
import { roomOf } from "../net/open-rooms.js";
import { downloadLog } from "../net/room-log.js";
import { browser } from "../net/surroundings.js";
import { noteHead, notedHeads } from "../store/chain-heads.js";
import { identity } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { boardOf, bringBoard } from "../views/board.js";
import { drawChips } from "../views/chips.js";
import { write } from "../views/element-changes.js";
import { eventList } from "../views/event-list.js";
import { whoIn, whoIs, whoOfSeat } from "../views/names.js";
import { playerList } from "../views/players.js";
import { caption, ownOf } from "../views/status-line.js";
import { track } from "../views/timeline-track.js";
import { connectionStatus } from "./connection-status.js";
import { element } from "./elements.js";
import { openHands } from "./open-hands.js";
import { wireKeys, wireTransport } from "./replay-transport.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** How often the address follows the position, in ms: browsers refuse a hundred changes in half a minute. */
const ADDRESS_EVERY = 500;
/** Most successive reads of the log to catch up with the hub. */
const READ_LIMIT = 8;
/** How long to wait for the hub's newest fingerprint, in ms. */
const HEAD_TIME = 4_000;
const RUNNING = ["running", "dealing"];
/** From this speed on, cards turn faster. */
const FAST = 4;

/**
 * Wires the page of `/replay/{code}`.
 * @param {string} code
 * @param {import("./elements.js").Shell} shell
 */
export async function showReplay(code, shell) {
  document.title = `${text("replay.of", { code })} · Flipside`;
  const timeline = new Timeline(code, identity()?.id);
  try {
    const [room, entries] = await Promise.all([askForRoom(code), downloadLog(code)]);
    timeline.names = room.names ?? {};
    for (const { event } of entries) timeline.add(event);
  } catch (error) {
    if (error.code !== "no-such-room") throw error;
    element("lost").hidden = false;
    return;
  }
  if (timeline.length === 0) return shell.toast(text("replay.failed"), "bad");
  const { room, you } = timeline.at(timeline.length);
  if (RUNNING.includes(room.status) && you.seat !== undefined) return refuse(code);
  element("replay").hidden = false;
  new ReplayPage(code, timeline, shell);
}

/**
 * A room as the hub describes it; loads its board at the same time.
 * @param {string} code
 */
async function askForRoom(code) {
  const room = await roomOf(code);
  await bringBoard(room.game);
  return room;
}

/**
 * Players should remember the cards, not look them up.
 * @param {string} code
 */
function refuse(code) {
  element("replay-refused").hidden = false;
  element("replay-refused-room").href = `/room/${encodeURIComponent(code)}`;
}

class ReplayPage {
  #code; #toast; #line; #status; #hands;
  /** Callbacks that wait for the hub's next message about its chain. */
  #waiting = /** @type {(() => void)[]} */ ([]);
  #end = { version: 0, isRunning: false };
  #isFilling = false;
  /** The newest version that the hub has mentioned. */
  #wanted = 0;
  #addressTimer = 0;
  /** How much is painted: first the words, then the board, then the list. */
  #steps = 0;

  /**
   * @param {string} code
   * @param {Timeline} timeline
   * @param {import("./elements.js").Shell} shell
   */
  constructor(code, timeline, shell) {
    this.#code = code;
    this.#toast = shell.toast;
    this.#status = connectionStatus(shell);
    this.timeline = timeline;
    this.#hands = openHands(timeline, () => this.draw());
    this.playback = new Playback(timeline, browser, () => this.draw());
    this.drawPlayers = playerList(element("replay-players"), element("player-template"));
    this.drawBoard = boardOf(element("replay-board"), () => {}, element("replay"));
    this.drawTrack = track(element("replay-range"), element("replay-marks"));
    this.drawEvents = eventList(element("replay-events"), (version) => this.look(version));
    element("replay-room").href = `/room/${encodeURIComponent(code)}`;
    const checking = shell.lazyPart(() => this.#bringCheck());
    const check = (/** @type {Parameters<ReplayPage["check"]>[0]} */ parts) => this.check(parts);
    element("replay-check").addEventListener("click", () => checking.use(check));
    this.drawTransport = wireTransport(this, SPEEDS);
    wireKeys(this);
    this.playback.seek(this.#asked() ?? this.start);
    // Everything at once would leave a slow device blank for long.
    afterPaint(() => {
      this.#drawMore();
      afterPaint(() => this.#drawMore());
    });
    const url = socketURL(`/ws/rooms/${encodeURIComponent(code)}`);
    this.#line = new RoomConnection(url, null, {
      state: (state) => this.#lineChanged(state), message: (message) => this.#receive(message),
    }, browser, timeline.length);
    followNetwork(this.#line);
  }

  /** Where a replay starts if no version was requested: the cards lie on the table. */
  get start() { return this.timeline.events.find(({ type }) => type === "game-started")?.v ?? this.timeline.length; }

  /** Whether more events may come. */
  get isRunning() {
    const { length } = this.timeline;
    if (this.#end.version !== length) {
      this.#end = { version: length, isRunning: RUNNING.includes(this.timeline.at(length).room.status) };
    }
    return this.#end.isRunning;
  }

  /**
   * Shows one event, and stops following and playing.
   * @param {number} version
   */
  look(version) {
    this.playback.pause();
    this.playback.seek(version);
  }

  #asked() {
    const asked = new URLSearchParams(location.search).get("v");
    return asked === null ? null : Number(asked);
  }

  #receive(/** @type {import("../games/room.js").HubMessage} */ message) {
    if ("names" in message) Object.assign(this.timeline.names, message.names);
    if ("head" in message) {
      noteHead(this.#code, message);
      for (const go of this.#waiting.splice(0)) go();
    }
    // The hub no longer has the log that this page has read.
    if (message.type === "welcome" && message.diverged) return location.reload();
    // The hub sent a `welcome` in place of the events before it: they are in the log.
    if (message.type === "welcome") this.#fill(message.version);
    if ("names" in message) this.draw();
    if (!("v" in message && "t" in message)) return;
    if (this.timeline.add(message)) this.#grown();
    else this.#fill(message.v);
  }

  /**
   * Reads what was missed during a longer absence, up to at least `version`: more events may come while it reads.
   * @param {number} version
   */
  async #fill(version) {
    this.#wanted = Math.max(this.#wanted, version);
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      for (let reads = 0; reads < READ_LIMIT && this.timeline.length < this.#wanted; reads++) {
        for (const { event } of await downloadLog(this.#code, this.timeline.length)) this.timeline.add(event);
        this.#grown();
      }
    } catch { this.#toast(text("replay.failed"), "bad"); }
    this.#isFilling = false;
  }

  /** There are more events to see, but not for a player in a game that has begun in between. */
  #grown() {
    if (this.isRunning && this.timeline.at(this.timeline.length).you.seat !== undefined) location.reload();
    else this.playback.grown();
  }

  #lineChanged(/** @type {import("../net/connection.js").LineState} */ state) {
    this.#status.draw(this.isRunning ? state : "open");
  }

  draw() {
    const { playback, timeline } = this, { version, isPlaying, isFollowing, speed } = playback;
    const state = timeline.at(version), { room, view } = state;
    element("replay").dataset.fast = String(speed >= FAST);
    this.drawPlayers(ofThisSeries(state, this.timeline.events[state.version - 1].t));
    element("replay-felt").hidden = !view;
    element("replay-facts").hidden = Boolean(view);
    if (!view) drawChips(element("replay-facts"), describe(room.game, room.options));
    else if (this.#steps > 0) {
      const shown = { name: room.game, view, game: room.gameNumber, mayMove: false, asked: new Set() };
      const seen = { seat: ownOf(state).seat, who: whoIn(state), hands: this.#hands(version) };
      this.drawBoard({ ...shown, ...seen, happened: timeline.events[version - 1] });
    }
    write(element("replay-caption"), caption(state));
    const said = this.sentence(version);
    element("replay-say").textContent = isPlaying || isFollowing ? this.#saidLast(version) : said;
    this.drawTrack({ version, events: timeline.events, sentence: said });
    this.drawTransport({ version, length: timeline.length, isPlaying, isFollowing, isRunning: this.isRunning });
    if (this.#steps > 1) {
      this.drawEvents({
        version, length: timeline.length, stamp: `${Object.keys(timeline.names).length}`,
        sentence: (version) => this.sentence(version), time: (version) => timeline.events[version - 1].t,
      });
    }
    this.#follow(version);
  }

  #drawMore() {
    this.#steps++;
    this.draw();
  }

  /**
   * The event of `version` in words.
   * @param {number} version
   * @returns {string}
   */
  sentence(version) {
    const state = this.timeline.at(version);
    const player = (/** @type {string} */ id) => whoIs(state, id);
    const seat = (/** @type {number} */ number) => whoOfSeat(state, number), event = this.timeline.events[version - 1];
    return sentence(state.room.game, event, { seat, player }, state.view) || text("replay.unknown");
  }

  /** Of several simultaneous events, the one that says most: not whose turn follows from it. */
  #saidLast(/** @type {number} */ version) {
    const { events } = this.timeline;
    for (let index = version - 1; index >= 0 && events[index].t === events[version - 1].t; index--) {
      if (!["turn", "turns"].includes(events[index].type)) return this.sentence(index + 1);
    }
    return this.sentence(version);
  }

  /** Keeps the address current, as a link to this position. */
  #follow(/** @type {number} */ version) {
    clearTimeout(this.#addressTimer);
    const follow = () => history.replaceState(history.state, "", `?v=${version}`);
    this.#addressTimer = window.setTimeout(follow, ADDRESS_EVERY);
  }

  async #bringCheck() {
    const { game } = this.timeline.at(1).room;
    const [{ checkRoom }, { findingList }] = await Promise.all(
      [import("../games/check.js"), import("../views/check-results.js"), gameOf(game).check?.()]);
    const [findings, verdict] = [element("check-findings"), element("check-verdict")];
    return () => ({ checkRoom, draw: findingList(findings, verdict, (version) => this.look(version)) });
  }

  /**
   * Verifies everything that the page can, and shows it step by step.
   * @param {{checkRoom: typeof import("../games/check.js").checkRoom,
   *   draw: (findings: import("../games/check.js").Finding[]) => void}} parts
   */
  async check({ checkRoom, draw }) {
    element("check-findings").replaceChildren();
    element("check-verdict").dataset.result = "open";
    element("check-verdict").textContent = text("check.running");
    element("check-dialog").showModal();
    await this.#newestHead();
    try {
      // Before the log is requested, so that the log includes all of these heads.
      const heads = notedHeads(this.#code), entries = await downloadLog(this.#code);
      draw(await checkRoom({ code: this.#code, entries, heads }));
    } catch { element("check-verdict").textContent = text("replay.failed"); }
  }

  /** Asks the hub for the current head of its chain; continues without it if there is no line. */
  #newestHead() {
    return new Promise((settle) => {
      this.#waiting.push(() => settle(undefined));
      setTimeout(settle, HEAD_TIME);
      this.#line.greet(null);
    });
  }
}

/**
 * Calls `act` once the current drawing has been painted.
 * @param {() => void} act
 */
function afterPaint(act) { requestAnimationFrame(() => setTimeout(act)); }
