// @ts-check
import { browser, RoomConnection } from "../connection.js";
import { fold, games } from "../games/room.js";
import { describe } from "../games/options.js";
import { noteHead } from "../heads.js";
import { forget, identity } from "../identity.js";
import { refusal, text } from "../texts.js";
import { announcer, sentenceOf } from "../views/announcer.js";
import { bonusClock } from "../views/bonus.js";
import { turnClock } from "../views/clock.js";
import { boardOf } from "../views/boards.js";
import { playerList, watching } from "../views/players.js";
import { isTriumph, mayMove, situation, whyNot } from "../views/situation.js";
import { show, write } from "../views/sparing.js";
import { Nonces } from "../nonces.js";
import { element, socketURL, styled, timeLimit } from "./elements.js";
import { onDemand } from "./on-demand.js";
import { LULL } from "./renewal.js";
import { goOnFrom, tellRole, wireActions } from "./room-actions.js";
import { wireBar } from "./room-bar.js";
import { wireChat } from "./room-chat.js";
import { bring, drawLink, mayBring, roomLink, tokenInAddress } from "./room-link.js";
import { wireSoFar } from "./so-far.js";

/** How often the turn's time is drawn, in ms; the style sheet moves what is between. */
const TICK = 200;
/** So long the hub is asked whether there is such a room, in ms; then the line finds out. */
const PATIENCE = 5_000;
/** Messages that a draw may go on with. */
const DRAWS = ["welcome", "resume", "dealing", "ready", "game-started"];

/**
 * Wires the page of `/room/{code}`.
 * @param {string} code
 * @param {(text: string, kind?: string) => void} toast
 */
export async function showRoom(code, toast) {
  const token = tokenInAddress();
  // A browser cannot see why a handshake was refused, so the page asks first. Without an answer it tries all the same.
  const limit = { signal: timeLimit(PATIENCE) };
  const answer = await fetch(`/api/rooms/${encodeURIComponent(code)}`, limit).catch(() => null);
  if (answer?.status === 404) {
    element("lost").hidden = false;
    document.title = `${text("page.title.no-room")} · Flipside`;
    return;
  }
  element("room-title").textContent = text("page.title.room", { code });
  drawLink(element("link"), roomLink());
  new RoomPage(code, toast, await mayBring(token) ? token : null);
}

/** All that a room's page knows, and the views that draw it. */
class RoomPage {
  /** What `welcome` and the events say; nil before the first welcome. */
  state = /** @type {any} */ (null);
  /** What is shown in place of `state`, where somebody looks back. */
  past = /** @type {any} */ (null);
  /** Cells that this page has asked to turn and has no answer about. */
  asked = new Set();
  /** The number of the game whose end has been put away, to see the board. */
  endSeen = 0;
  /** @type {import("../connection.js").LineState} */
  lineState = "connecting";
  hasBeenOpen = false;
  hasBeenLost = false;
  /** This page's button for it has begun the game that is being dealt. */
  hasStarted = false;
  /** The hub has said that it stops: what follows is no trouble of the line. */
  isRestarting = false;

  /** @param {string | null} brought a token that came with the address, to be known by from now on */
  constructor(code, toast, brought) {
    this.code = code;
    this.toast = toast;
    this.brought = brought;
    const url = socketURL(`/ws/rooms/${encodeURIComponent(code)}`);
    this.drawPlayers = playerList(element("players"), element("player-template"));
    this.ending = onDemand(bringEnding, toast);
    this.drawBoard = boardOf(element("board"), (cell) => this.move(cell));
    this.say = announcer(element("announcer"));
    this.nonces = new Nonces(code);
    this.drawClock = turnClock(element("players"), element("clock"));
    this.drawBonus = bonusClock(element("bonus"), () => this.line.hubTime);
    const on = { state: (state) => this.lineChanged(state), message: (message) => this.receive(message) };
    this.line = new RoomConnection(url, brought ?? identity()?.token ?? null, on, browser);
    this.drawActions = wireActions(this);
    this.drawSoFar = wireSoFar(this);
    this.chat = wireChat(this);
    this.bar = wireBar(this, this.chat.toggle);
    setInterval(() => this.tick(), TICK);
    for (const name of ["pageshow", "online", "focus"]) addEventListener(name, () => this.line.check());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.line.check(); });
  }

  receive(message) {
    const before = this.state;
    this.state = fold(before, message);
    if (message.head) noteHead(this.code, message);
    if (message.type === "notice") this.toast(refusal(message));
    if (message.type === "notice" && message.code === "restart") this.isRestarting = true;
    if (message.diverged) this.toast(text("error.diverged"));
    if (message.type === "error" && message.id === undefined) this.complain(message);
    if (this.state && message.type === "reaction") this.heard(message, before);
    if (this.state === before || !this.state) return;
    if (message.type === "welcome") this.take(message.you);
    if (["dealing", "game-started"].includes(message.type)) {
      this.hasStarted ||= ["start", "again"].includes(document.activeElement?.id ?? "");
    }
    // Dealt again: the keyboard goes on where it was.
    const isAtGame = document.activeElement?.closest("#board, #game-buttons") !== null;
    if (message.type === "game-ended" && message.reason === "restart") this.hasStarted ||= isAtGame;
    this.draw(message);
    if (message.type === "game-started") this.goOnWithCards();
    this.say(sentenceOf(this.state, message));
    this.heard(message, before);
    tellRole(message, this.state, this.toast);
    this.takePartInDraw(message);
    if (message.type === "game-ended") this.end(isAtGame && message.reason !== "restart");
  }

  /** The button that had the focus, before the cards were dealt, is gone: the keyboard goes on with the cards. */
  goOnWithCards() {
    const isLost = document.activeElement === document.body || document.activeElement?.matches("#start, #again");
    if (this.hasStarted && isLost) element("board").querySelector("[tabindex='0']")?.focus();
    this.hasStarted = false;
  }

  heard(message, before) {
    this.chat.hear(message);
    this.bar.hear(message, before, this.state);
  }

  /** The hub knows who came here by a token in the address. */
  take(you) {
    if (!this.brought || !you.player) return;
    bring(this.brought, you, this.toast);
    this.brought = null;
  }

  /** An error that answers no command. */
  complain(error) {
    if (error.code === "unknown-token" && this.brought) {
      // Of no use: this browser stays who it was.
      this.brought = null;
      this.line.greet(identity()?.token ?? null);
      return this.toast(text("share.unknown"), "bad");
    }
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
    const { view } = this.state;
    const game = games[this.state.room.game];
    if (!game.isFree(view, cell)) return;
    // However fast somebody is: no more cards begin to turn than the turn allows.
    const underWay = [...this.asked].filter((other) => game.isFree(view, other)).length;
    if (underWay >= (game.movesLeft?.(view) ?? 1)) return;
    // The finger is answered first: nothing but the card looks different yet.
    this.asked.add(cell);
    this.drawCards();
    const { type, ...fields } = game.move(cell);
    const answer = await this.line.command(type, fields);
    this.asked.delete(cell);
    this.drawCards();
    // Somebody was faster, or the time was: what the board shows now says so itself.
    if (answer.type === "error" && answer.code !== "not-your-turn") this.toast(refusal(answer), "bad");
  }

  /** Opens this page's nonce where the hub waits for it, and looks whether it is in the draw. */
  async takePartInDraw(message) {
    const { room, you } = this.state;
    if (!DRAWS.includes(message.type)) return;
    // What everybody has seen is never promised again, whoever has heard that the hub took it.
    for (const { player, nonce } of [...(room.players ?? []), ...(room.dealing?.seats ?? [])]) {
      if (nonce && player === you.player) this.nonces.opened({ nonce });
    }
    const ready = this.nonces.answer(room, you.seat);
    if (ready) await this.line.command("ready", ready);
    if (message.type !== "game-started") return;
    const own = message.seats.find(({ seat, player }) => seat === you.seat && player === you.player);
    if (own?.commitment && !own.nonce) this.toast(text("draw.missing"), "bad");
  }

  /** @param {boolean} isAtGame whether the keyboard was: nobody is taken away from what they write */
  end(isAtGame) {
    const game = this.state.room.gameNumber;
    this.ending.use(({ celebrate }) => {
      const held = document.activeElement, isThereYet = isAtGame && held?.closest("#board, #game-buttons");
      if (isThereYet || held === document.body) element("end-title").focus({ preventScroll: true });
      // The last two cards are seen to turn before anything falls over them.
      setTimeout(() => { if (this.state.room.gameNumber === game && isTriumph(this.state)) celebrate(); }, 500);
    });
    dispatchEvent(new Event(LULL));
  }

  drawEnd(state, isShown) {
    const { part } = this.ending;
    if (part) part.draw(state, isShown);
    else if (isShown) this.ending.use(this.drawAnew);
  }

  drawAnew = () => this.draw();

  tick() {
    this.drawClock(this.state, this.line.hubTime);
    this.bar.drawTrip();
  }

  /** @param {any} [event] the one that has just led here, for whoever shows the way and not the state alone */
  draw(event) {
    const state = this.past ?? this.state;
    if (!state) return;
    const { room, view, presence } = state, held = document.activeElement;
    // Nothing is shown before it is known where it belongs: nothing jumps.
    show(element("room"), true);
    show(element("room-bar"), true);
    const isMine = mayMove(state);
    const isOver = room.status === "ended" || (room.status === "closed" && room.results !== undefined);
    const isEndShown = isOver && this.endSeen !== room.gameNumber;
    element("room").dataset.mine = String(isMine);
    element("room").dataset.status = room.status;
    document.body.dataset.playing = String(room.status !== "waiting");
    this.drawPlayers(state);
    this.drawEnd(state, isEndShown);
    this.drawActions(this.state, isEndShown);
    this.drawSoFar();
    this.drawClock(state, this.line.hubTime);
    this.drawBonus(state);
    this.chat.draw(this.state);
    write(element("say"), situation(state));
    write(element("watching"), watching(presence.spectators));
    show(element("felt"), Boolean(view));
    element("felt").dataset.over = String(isEndShown);
    element("felt").dataset.line = this.lineState;
    element("board").inert = isEndShown;
    this.drawCards(event);
    show(element("waiting"), room.status === "waiting");
    if (room.status === "waiting") drawFacts(element("facts"), describe(room.game, room.options));
    const name = isMine ? text("page.title.your-turn") : text("page.title.room", { code: this.code });
    if (document.title !== `${name} · Flipside`) document.title = `${name} · Flipside`;
    goOnFrom(held, this.state.room);
  }

  /** The board alone. @param {any} [event] the one that has just led here */
  drawCards(event) {
    const state = this.past ?? this.state;
    const { room, view } = state;
    const shown = { name: room.game, view, game: room.gameNumber, mayMove: mayMove(state), asked: this.asked };
    if (view) this.drawBoard({ ...shown, event: this.past ? undefined : event });
  }

  lineChanged(state) {
    const isBack = state === "open" && this.lineState !== "open" && this.hasBeenOpen;
    this.lineState = state;
    this.hasBeenOpen ||= state === "open";
    const line = element("line");
    // The first moments need no words.
    line.hidden = state === "open" || (!this.hasBeenOpen && !this.hasBeenLost && state === "connecting");
    this.hasBeenLost ||= state === "lost";
    if (state === "open") this.isRestarting = false;
    line.textContent = text(this.isRestarting ? "error.restart" : this.hasBeenOpen ? "line.lost" : "line.none");
    if (isBack) this.toast(text("line.back"));
    if (isBack) dispatchEvent(new Event(LULL));
    this.draw();
  }
}

/** What is shown at the end of a game: a room is first seen before it. */
async function bringEnding(/** @type {string} */ again) {
  /** @type {[typeof import("../views/ending.js"), typeof import("../views/confetti.js"), void]} */
  const [{ ending }, { celebrate }] = await Promise.all([import(`../views/ending.js${again}`),
    import(`../views/confetti.js${again}`), styled(`/styles/ending.css${again}`)]);
  const [root, title, detail] = ["end", "end-title", "end-detail"].map(element);
  const [places, hint] = ["places", "end-hint"].map(element);
  return () => ({ draw: ending({ root, title, detail, places, hint }), celebrate });
}

/** What a room plays, in a few words each. @param {HTMLElement} root @param {string[]} facts */
function drawFacts(root, facts) {
  root.replaceChildren(...facts.map((fact) => Object.assign(document.createElement("li"), { textContent: fact })));
}
