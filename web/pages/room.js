// @ts-check
import { RoomConnection } from "../connection.js";
import { describe } from "../games/options.js";
import { fold, games } from "../games/room.js";
import { forget, identity } from "../identity.js";
import { about, refusal, text } from "../texts.js";
import { turnClock } from "../views/clock.js";
import { celebrate } from "../views/confetti.js";
import { ending, isTriumph } from "../views/ending.js";
import { boardOf } from "../views/boards.js";
import { whoOfSeat } from "../views/names.js";
import { playerList, watching } from "../views/players.js";
import { mayMove, situation, whyNot } from "../views/situation.js";
import { Nonces } from "../nonces.js";
import { element } from "./elements.js";
import { wireActions } from "./room-actions.js";

/** How often the turn's time is drawn, in ms; the style sheet moves what is between. */
const TICK = 200;
/** Most sentences that wait to be read out: a screen reader that is behind skips older ones. */
const SPOKEN_LIMIT = 6;
/** Events that are read out whatever the game, unless it has words of its own. */
const SPOKEN = ["turn", "turn-expired", "away", "back", "player-left", "game-started", "game-ended"];

const world = {
  socket: (url, protocol) => new WebSocket(url, protocol),
  later: (act, ms) => setTimeout(act, ms), cancel: (timer) => clearTimeout(timer),
  now: () => Date.now(), random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
};

/**
 * Wires the page of `/room/{code}`.
 * @param {string} code
 * @param {(text: string, kind?: string) => void} toast
 */
export async function showRoom(code, toast) {
  // A browser cannot see why a handshake was refused, so the page asks first. Without an answer it tries all the same.
  const answer = await fetch(`/api/rooms/${encodeURIComponent(code)}`).catch(() => null);
  if (answer?.status === 404) {
    element("lost").hidden = false;
    document.title = `${text("page.title.no-room")} · Flipside`;
    return;
  }
  element("room-title").textContent = text("page.title.room", { code });
  drawLink(element("link"));
  new RoomPage(code, toast);
}

/** This page's address, which breaks at its slashes only. @param {HTMLElement} root */
function drawLink(root) {
  for (const part of location.href.split(/(?<=[/.])(?=[^/])/)) root.append(part, document.createElement("wbr"));
}

/** All that a room's page knows, and the views that draw it. */
class RoomPage {
  /** What `welcome` and the events say; nil before the first welcome. @type {any} */
  state = null;
  /** Cells that this page has asked to turn and has no answer about. */
  asked = new Set();
  /** The number of the game whose end has been put away, to see the board. */
  endSeen = 0;
  /** @type {import("../connection.js").LineState} */
  lineState = "connecting";
  hasBeenOpen = false;

  constructor(code, toast) {
    this.code = code;
    this.toast = toast;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const url = `${scheme}//${location.host}/ws/rooms/${encodeURIComponent(code)}`;
    this.drawPlayers = playerList(element("players"), element("player-template"));
    this.drawEnd = ending({
      root: element("end"), title: element("end-title"), detail: element("end-detail"), places: element("places"),
      hint: element("end-hint"),
    });
    this.drawBoard = boardOf(element("board"), (cell) => this.move(cell));
    this.nonces = new Nonces(code);
    this.drawClock = turnClock(element("players"), element("clock"));
    const on = { state: (state) => this.lineChanged(state), message: (message) => this.receive(message) };
    this.line = new RoomConnection(url, identity()?.token ?? null, on, world);
    this.drawActions = wireActions(this);
    setInterval(() => this.drawClock(this.state, this.line.hubTime), TICK);
    for (const name of ["pageshow", "online", "focus"]) addEventListener(name, () => this.line.check());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.line.check(); });
  }

  receive(message) {
    const before = this.state;
    this.state = fold(before, message);
    if (message.type === "notice") this.toast(refusal(message));
    if (message.diverged) this.toast(text("line.diverged"));
    if (message.type === "error" && message.id === undefined) this.complain(message);
    if (this.state === before || !this.state) return;
    const starts = ["start", "again"].includes(document.activeElement?.id ?? "") && message.type === "game-started";
    this.draw();
    // The button that had the focus is gone: the keyboard goes on with the cards.
    if (starts) element("board").querySelector("[tabindex='0']")?.focus();
    this.speak(message);
    this.takePartInDraw(message);
    if (message.type === "game-ended") this.end();
  }

  /** An error that answers no command. */
  complain(error) {
    if (error.code === "unknown-token") {
      // The hub has forgotten this player: the page watches until a name is given again.
      forget();
      this.line.greet(null);
    }
    this.toast(refusal(error), "bad");
  }

  async move(cell) {
    if (!this.state?.view || this.asked.has(cell) || this.lineState !== "open") return;
    if (!mayMove(this.state)) return this.toast(whyNot(this.state));
    const game = games[this.state.room.game];
    if (!game.isFree(this.state.view, cell)) return;
    this.asked.add(cell);
    this.draw();
    const { type, ...fields } = game.move(cell);
    const answer = await this.line.command(type, fields);
    this.asked.delete(cell);
    this.draw();
    // Somebody was faster, or the time was: what the board shows now says so itself.
    if (answer.type === "error" && answer.code !== "not-your-turn") this.toast(refusal(answer), "bad");
  }

  /** Opens this page's nonce where the hub waits for it, and looks whether it is in the draw. */
  async takePartInDraw(message) {
    const { room, you } = this.state;
    const ready = this.nonces.answer(room, you.seat);
    if (ready) {
      const answer = await this.line.command("ready", ready);
      if (answer.type === "ok") this.nonces.opened(ready);
    }
    if (message.type !== "game-started") return;
    const own = message.seats.find(({ seat, player }) => seat === you.seat && player === you.player);
    if (own?.commitment && !own.nonce) this.toast(text("draw.missing"), "bad");
  }

  end() {
    const game = this.state.room.gameNumber;
    element("end-title").focus({ preventScroll: true });
    // The last two cards are seen to turn before anything falls over them.
    setTimeout(() => { if (this.state.room.gameNumber === game && isTriumph(this.state)) celebrate(); }, 500);
  }

  draw() {
    const { state } = this;
    if (!state) return;
    const { room, view, presence } = state;
    // Nothing is shown before it is known where it belongs: nothing jumps.
    element("room").hidden = false;
    const isMine = mayMove(state);
    const isOver = room.status === "ended" || (room.status === "closed" && room.results !== undefined);
    const isEndShown = isOver && this.endSeen !== room.gameNumber;
    element("room").dataset.mine = String(isMine);
    element("room").dataset.status = room.status;
    this.drawPlayers(state);
    this.drawEnd(state, isEndShown);
    this.drawActions(state, isEndShown);
    this.drawClock(state, this.line.hubTime);
    element("say").textContent = situation(state);
    element("watching").textContent = watching(presence.spectators);
    element("felt").hidden = !view;
    element("felt").dataset.over = String(isEndShown);
    element("board").inert = isEndShown || this.lineState !== "open";
    const board = { name: room.game, view, game: room.gameNumber, mayMove: isMine, asked: this.asked };
    if (view) this.drawBoard(board);
    element("waiting").hidden = room.status !== "waiting";
    element("facts").replaceChildren(...describe(room.game, room.options).map((fact) => {
      const item = document.createElement("li");
      item.textContent = fact;
      return item;
    }));
    const name = isMine ? text("page.title.your-turn") : text("page.title.room", { code: this.code });
    document.title = `${name} · Flipside`;
  }

  /** Says an event in words to who cannot see the board. */
  speak(message) {
    if (!this.state.view || typeof message.t !== "number") return;
    const who = (seat) => whoOfSeat(this.state, seat);
    const sentence = games[this.state.room.game]?.sentence(message, who) || this.sentence(message, who);
    if (!sentence) return;
    const said = document.createElement("p");
    said.textContent = sentence;
    element("announcer").append(said);
    if (element("announcer").children.length > SPOKEN_LIMIT) element("announcer").firstElementChild?.remove();
  }

  /** What any game's event says. */
  sentence({ type, seat }, who) { return SPOKEN.includes(type) ? about(`event.${type}`, who(seat)) : ""; }

  lineChanged(state) {
    const isBack = state === "open" && this.lineState !== "open" && this.hasBeenOpen;
    this.lineState = state;
    this.hasBeenOpen ||= state === "open";
    const line = element("line");
    // The first moments need no words.
    line.hidden = state === "open" || (!this.hasBeenOpen && state === "connecting");
    line.textContent = text(this.hasBeenOpen ? "line.lost" : "line.none");
    if (isBack) this.toast(text("line.back"));
    this.draw();
  }
}
