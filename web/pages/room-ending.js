// @ts-check
import { text } from "../texts/texts.js";
import { isComposing } from "../views/composing.js";
import { isTriumph } from "../views/status-line.js";
import { styled } from "../views/style-sheets.js";
import { element, oneAtATime } from "./elements.js";
import { isAtGame } from "./room-keyboard.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** How long the result of the last move stays in view, in ms, once nothing moves. */
const BEAT = 800;
/** How long it may move, in ms. */
const LONGEST_MOVE = 2_500;

/**
 * The end of a room's game, beside the board until it is closed. It appears once the last move has been seen.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} draw draws the whole room
 */
export function gameEnding(room, shell, draw) {
  /** The number of the game whose end was closed to see the board. */
  let putAway = 0;
  /** The number of the game whose last move is in view. */
  let lookedAt = 0;
  const view = shell.lazyPart(bringEnding);
  const drawAgain = () => draw();
  const see = (/** @type {boolean} */ isSeen) => () => {
    putAway = isSeen ? room.state.room.gameNumber : 0;
    draw();
    element(isSeen ? "results" : "end-title").focus();
  };
  /** A player's news about the end of a game, by its number. */
  let news = { game: 0, words: "" };
  const share = shell.lazyPart(async (again) => {
    const { shareResult } = await import(`./result-share.js${again}`);
    return () => shareResult;
  });
  element("end-share").addEventListener("click", oneAtATime(async () => {
    // Another game may begin before everything has loaded.
    const { state } = room;
    let sent = Promise.resolve();
    await share.use((send) => { sent = send(state, shell); });
    await sent;
  }));
  const close = see(true);
  element("end-close").addEventListener("click", close);
  element("results").addEventListener("click", see(false));
  element("play-again").addEventListener("click", () => {
    view.use(({ whyNotAgain }) => shell.toast(whyNotAgain(room.state)));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || isComposing(event)) return;
    if (!element("end").hidden && !document.querySelector("dialog[open]")) close();
  });
  const isDue = (/** @type {RoomState} */ { room }) => {
    const isOver = room.status === "ended" || (room.status === "closed" && room.results !== undefined);
    return isOver && putAway !== room.gameNumber;
  };
  return {
    /** Whether it is shown, or is about to be. */
    isDue,
    /** @param {RoomState} state */
    isShown(state) { return isDue(state) && lookedAt !== state.room.gameNumber; },
    /**
     * @param {RoomState} state
     * @param {boolean} isShown
     */
    draw(state, isShown) {
      const told = news.game === state.room.gameNumber ? news.words : "";
      const isPutAway = putAway === state.room.gameNumber;
      if (view.part) view.part.draw(state, { isShown, isPutAway, told });
      else if (isShown) view.use(drawAgain);
    },
    /**
     * Call this before the message is drawn.
     * @param {import("../games/room.js").HubMessage} message
     */
    hear(message) {
      // Only a game that ended by a move has a last move to look at.
      if (message.type === "game-ended") lookedAt = message.reason === "finished" ? room.state.room.gameNumber : 0;
    },
    /**
     * @param {import("../net/messages.js").EventGameEnded} end
     * @param {boolean} wasAtGame whether the keyboard was there: the focus never leaves a field someone types in
     * @param {() => void} say announces it for people who cannot see the page
     */
    async begin(end, wasAtGame, say) {
      const game = room.state.room.gameNumber;
      view.use(({ noteOwnBest }) => {
        news = { game, words: noteOwnBest(end, room.state.you.player) ? text("end.best") : "" };
        draw();
      });
      if (lookedAt === game) await seen(element("board"));
      if (lookedAt === game) lookedAt = 0;
      say();
      const isHere = () => room.state.room.gameNumber === game && isDue(room.state);
      if (!isHere()) return;
      draw();
      view.use(({ celebrate }) => {
        if (!isHere()) return;
        draw();
        const isThereYet = wasAtGame && isAtGame();
        // Not to its title, which would be read aloud on top of the announcement.
        if (isThereYet || document.activeElement === document.body) element("end").focus({ preventScroll: true });
        if (isTriumph(room.state)) celebrate();
      });
      shell.quietMoment();
    },
  };
}

/** Resolves when all movement on a board has stopped, and a moment later. */
async function seen(/** @type {HTMLElement} */ board) {
  const moves = board.getAnimations({ subtree: true })
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.race([Promise.allSettled(moves.map(({ finished }) => finished)), pause(LONGEST_MOVE)]);
  await pause(BEAT);
}

const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

/**
 * Loads late: a room is first seen without it.
 * @param {string} again
 */
async function bringEnding(again) {
  /** @type {[typeof import("../views/ending.js"), typeof import("../views/confetti.js"),
   *   typeof import("../store/bests.js"), void]} */
  const [{ ending, whyNotAgain }, { celebrate }, { noteOwnBest }] = await Promise.all([
    import(`../views/ending.js${again}`), import(`../views/confetti.js${again}`), import(`../store/bests.js${again}`),
    styled(`/styles/ending.css${again}`)]);
  const [root, title, detail] = ["end", "end-title", "end-detail"].map(element);
  const [places, series, news, rematch] = ["places", "end-series", "end-news", "end-rematch"].map(element);
  const [yes, later, no, replay] = ["again", "play-again", "end-no", "end-replay"].map(element);
  const [wanted, answers] = ["end-wishes", "end-answers"].map(element);
  const draw = ending({ root, title, detail, places, series, news, rematch, wanted, yes, later, no, answers, replay });
  return () => ({ draw, celebrate, noteOwnBest, whyNotAgain });
}
