// @ts-check
import { describe, remarkOn } from "../games/options.js";
import { ofThisSeries } from "../games/wins.js";
import { problemOf } from "../net/hub-answer.js";
import { timeLimit } from "../net/network.js";
import { noteHead } from "../store/chain-heads.js";
import { checkIdentity } from "../store/account.js";
import { followIdentity, identity, noteNames } from "../store/identity.js";
import { noteEnd } from "../store/last-played.js";
import { refusal, text } from "../texts/texts.js";
import { announcer, sentenceOf } from "../views/announcer.js";
import { boardOf } from "../views/board.js";
import { bonusClock } from "../views/bonus.js";
import { bubble } from "../views/bubble.js";
import { chairs } from "../views/chairs.js";
import { turnClock } from "../views/clock.js";
import { show, write } from "../views/element-changes.js";
import { isLong, whoIn } from "../views/names.js";
import { playerList, watching } from "../views/players.js";
import { caption, mayMove, ownOf, remaining, statusLine } from "../views/status-line.js";
import { catchUpPlayback } from "./catch-up-playback.js";
import { connectionStatus } from "./connection-status.js";
import { element } from "./elements.js";
import { tellLeaving, tellRole, wireActions } from "./room-actions.js";
import { followArrivals } from "./room-arrivals.js";
import { wireBar } from "./room-bar.js";
import { wireChat } from "./room-chat.js";
import { gameEnding } from "./room-ending.js";
import { dropByEscape, isAtGame, leadKeyboard, targetOf } from "./room-keyboard.js";
import { moves } from "./room-moves.js";
import { tableProposal } from "./room-proposal.js";
import { RoomSession } from "./room-session.js";
import { shuffle } from "./room-shuffle.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../games/room.js").HubMessage} HubMessage */

/** How often the turn's time is drawn, in ms; the style sheet animates in between. */
const TICK = 200;
/** From this many characters on, the status line is set smaller on a phone. */
const LONG_LINE = 24;
/** How long the question whether the room exists may take, in ms; then the line finds out. */
const ANSWER_TIMEOUT = 5_000;

/**
 * Wires the page of `/room/{code}`.
 * @param {string} code
 * @param {import("./elements.js").Shell} shell
 */
export async function showRoom(code, shell) {
  const room = new RoomSession(code);
  element("room-title").textContent = text("page.title.room", { code });
  write(element("coming"), text("room.coming"));
  show(element("coming"), true);
  roomPage(room, shell);
  // A browser cannot see why a handshake was refused, so the page also asks by HTTP. Without an answer the line shows
  // it.
  const limit = { signal: timeLimit(ANSWER_TIMEOUT) };
  const answer = await fetch(`/api/rooms/${encodeURIComponent(code)}`, limit).catch(() => null);
  if (!answer || (await problemOf(answer))?.code !== "no-such-room" || room.state) return;
  room.close();
  tellLost();
}

/** The room does not exist. */
function tellLost() {
  show(element("coming"), false);
  show(element("lost"), true);
  show(element("line"), false);
  document.title = `${text("page.title.no-room")} · Flipside`;
}

/**
 * Assembles the parts of a room's page: each message goes to all of them, then everything is drawn.
 * @param {RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
function roomPage(room, shell) {
  const draw = (/** @type {HubMessage | undefined} */ event = undefined) => { if (room.state) drawRoom(event); };
  const say = announcer(element("announcer")), tell = bubble(element("bubble"), say);
  const refuse = (/** @type {number} */ target, /** @type {string} */ why) => {
    const place = targetOf(target);
    // The board may have changed before the answer came.
    if (place) tell(place, why);
    else if (why) shell.toast(why, "bad");
  };
  const moving = moves(room, () => drawBoard(), refuse);
  dropByEscape(() => moving.drop());
  const line = connectionStatus(shell), lead = leadKeyboard();
  const draws = shuffle(room, shell);
  const ending = gameEnding(room, shell, draw), catchUp = catchUpPlayback(room, shell, draw);
  const chat = wireChat(room, shell, { say, draw }), bar = wireBar(room, shell, chat.toggle);
  const proposal = tableProposal(room, shell, draw), arrivals = followArrivals(room, say, draw);
  const actions = wireActions(room, shell, { promise: draws.promise, tell, say, draw });
  const drawTable = table(room, () => catchUp.past, (target) => moving.move(target), actions.fill);

  function drawBoard(/** @type {HubMessage | undefined} */ event = undefined) { drawTable.board(moving, event); }

  function drawRoom(/** @type {HubMessage | undefined} */ event) {
    // While the viewer looks back, the past state replaces the current one.
    const state = ofThisSeries(catchUp.past ?? room.state, room.hubTime), held = document.activeElement;
    const isEndShown = ending.isShown(state), isEndDue = ending.isDue(state);
    // Nothing is shown before its place is known, so nothing jumps.
    show(element("coming"), false);
    show(element("room"), true);
    show(element("room-bar"), true);
    drawTable.players(state);
    ending.draw(state, isEndShown);
    proposal.draw(room.state, isEndDue);
    actions.draw(room.state, isEndDue);
    catchUp.draw(isEndDue);
    drawTable.clocks(state);
    chat.draw(room.state);
    drawTable.words(state, arrivals.news);
    element("room").dataset.end = String(isEndShown);
    drawBoard(event);
    // While a game's last move is in view, its end has nothing to focus yet; in the middle of a commit no one has the
    // turn.
    if (isEndShown || !isEndDue) lead(held, room.state);
  }

  room.connect(identity()?.token ?? null, {
    hear: listener(room, shell, { line, chat, bar, actions, proposal, draws, ending, arrivals, say, draw }),
    line() {
      if (room.lineState === "ended") return tellLost();
      line.draw(room.lineState);
      draw();
    },
  });
  actions.begin();
  followIdentity((player) => room.follow(player?.token ?? null));
  setInterval(() => {
    drawTable.turn();
    proposal.time();
    bar.drawTrip();
  }, TICK);
}

/**
 * Passes each message to every part of the page.
 * @param {RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {{line: ReturnType<typeof connectionStatus>, chat: ReturnType<typeof wireChat>,
 *   bar: ReturnType<typeof wireBar>, actions: ReturnType<typeof wireActions>,
 *   proposal: ReturnType<typeof tableProposal>, draws: ReturnType<typeof shuffle>,
 *   ending: ReturnType<typeof gameEnding>, arrivals: ReturnType<typeof followArrivals>,
 *   say: (sentence: string) => void, draw: (event: HubMessage) => void}} parts
 */
function listener(room, shell, { line, chat, bar, actions, proposal, draws, ending, arrivals, say, draw }) {
  /**
   * Messages that concern the page, not the state of the room.
   * @param {HubMessage} message
   * @param {RoomState} before
   */
  function hearOfPage(message, before) {
    if ("head" in message) noteHead(room.code, message);
    if ("names" in message) noteNames(message.names);
    if (message.type === "notice") shell.toast(refusal(message, room.hubTime));
    if (message.type === "notice" && message.code === "restart") line.restart();
    if (message.type === "welcome" && message.diverged) shell.toast(text("error.diverged"));
    if (message.type === "error" && message.id === undefined) {
      // It may be about an earlier token of this browser: the current one asks.
      if (message.code === "unknown-token") checkIdentity();
      else shell.toast(refusal(message, room.hubTime), "bad");
    }
    if (room.state && message.type === "reaction") heard(message, before);
  }

  function heard(/** @type {HubMessage} */ message, /** @type {RoomState} */ before) {
    chat.hear(message);
    bar.hear(message, before, room.state);
  }

  /** The messages of a commit that is not complete yet. */
  let held = /** @type {HubMessage[]} */ ([]);

  /** The page's own commands follow from whole commits: in the middle of one the hub would refuse them. */
  function act(/** @type {HubMessage} */ message) {
    held = message.type === "welcome" ? [message] : [...held, message];
    if (room.state.more) return;
    for (const one of held.splice(0)) {
      actions.hear(one);
      draws.hear(one);
    }
  }

  return function hear(/** @type {HubMessage} */ message, /** @type {RoomState} */ before) {
    hearOfPage(message, before);
    if (room.state === before || !room.state) return;
    const wasAtGame = isAtGame();
    act(message);
    ending.hear(message);
    draw(message);
    const sentence = sentenceOf(room.state, message, before);
    if (message.type !== "game-ended" && !tellLeaving(message, room.state, shell.toast)) say(sentence);
    arrivals.hear(before);
    heard(message, before);
    tellRole(message, room.state, shell.toast);
    proposal.hear(message, before);
    if (message.type === "options-changed") tellOptions(room.state, say, shell.toast);
    if (message.type === "game-ended") {
      noteEnd(message, room.state.you.player);
      ending.begin(message, wasAtGame && message.reason !== "restart", () => say(sentence));
    }
  };
}

/**
 * The parts around a room's board and on it, each drawn separately. `past` replaces the current state on the board
 * while the viewer looks back.
 * @param {RoomSession} room
 * @param {() => RoomState | null} past
 * @param {(target: number) => void} move
 * @param {(seat: number) => void} fill lets the host put a computer on a seat
 */
function table(room, past, move, fill) {
  const drawPlayers = playerList(
    element("players"), element("player-template"), chairs(element("chair-template"), fill));
  const drawClock = turnClock(element("players"), element("clock"));
  const drawBonus = bonusClock(element("bonus"), () => room.hubTime);
  const drawBoard = boardOf(element("board"), move, element("room"));
  const turn = () => drawClock(room.state, room.hubTime);
  return {
    players: drawPlayers,
    turn,
    clocks(/** @type {RoomState} */ state) {
      drawClock(state, room.hubTime);
      drawBonus(state);
    },
    /**
     * @param {RoomState} state
     * @param {string} news replaces the window's usual title
     */
    words(state, news) {
      const { status } = state.room, isMine = mayMove(state);
      element("room").dataset.mine = String(isMine);
      element("room").dataset.status = status;
      document.body.dataset.playing = String(status !== "waiting");
      const said = statusLine(state);
      write(element("say"), said);
      element("say").classList.toggle("long", isLong(said, LONG_LINE));
      write(element("watching"), watching(state));
      write(element("caption"), caption(state));
      write(element("remaining"), remaining(state));
      show(element("felt"), Boolean(state.view));
      element("felt").dataset.line = room.lineState;
      const name = news || (isMine ? text("page.title.your-turn") : text("page.title.room", { code: room.code }));
      if (document.title !== `${name} · Flipside`) document.title = `${name} · Flipside`;
    },
    /**
     * @param {{asked: Set<number>, chosen: number | undefined}} moving
     * @param {HubMessage} [event] the one that led to this state, for a board that animates it
     */
    board({ asked, chosen }, event) {
      const state = past() ?? room.state, { room: { game, gameNumber }, view } = state;
      if (!view) return;
      const { seat, hand } = ownOf(state);
      const shown = {
        name: game, view, game: gameNumber, mayMove: mayMove(state), asked, chosen, seat,
        hands: hand && seat !== undefined ? { [seat]: hand } : {}, who: whoIn(state),
      };
      drawBoard({ ...shown, event: past() ? undefined : event, happened: event });
    },
  };
}

/**
 * The host's changes: shown once if the page has no list of the facts, read aloud if it has.
 * @param {RoomState} state
 * @param {(sentence: string) => void} say
 * @param {import("./elements.js").Toast} toast
 */
function tellOptions({ room: { game, options, status }, you }, say, toast) {
  if (status !== "waiting") toast(remarkOn(game, options));
  else if (!you.isHost) say(describe(game, options).join(", "));
}
