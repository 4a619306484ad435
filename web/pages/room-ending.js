// @ts-check
import { text } from "../texts/texts.js";
import { isTriumph } from "../views/status-line.js";
import { styled } from "../views/style-sheets.js";
import { element, oneAtATime } from "./elements.js";
import { isAtGame } from "./room-keyboard.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** The last two cards are seen to turn before anything falls over them, in ms. */
const BEFORE_CONFETTI = 500;

/**
 * The end of a room's game, over the board until it is put away.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} draw draws the whole room
 */
export function gameEnding(room, shell, draw) {
  /** The number of the game whose end has been put away, to see the board. */
  let putAway = 0;
  const view = shell.lazyPart(bringEnding);
  const drawAgain = () => draw();
  const see = (/** @type {boolean} */ isSeen) => () => {
    putAway = isSeen ? room.state.room.gameNumber : 0;
    draw();
    element(isSeen ? "results" : "end-title").focus();
  };
  /** What is new with the end of which game, to who has played it. */
  let news = { game: 0, words: "" };
  const share = shell.lazyPart(async (again) => {
    const { shareResult } = await import(`./result-share.js${again}`);
    return () => shareResult;
  });
  element("end-share").addEventListener("click", oneAtATime(async () => {
    // Another game may begin before all has come.
    const { state } = room;
    let sent = Promise.resolve();
    await share.use((send) => { sent = send(state, shell); });
    await sent;
  }));
  element("end-close").addEventListener("click", see(true));
  element("results").addEventListener("click", see(false));
  return {
    /**
     * Whether it stands over the board.
     * @param {RoomState} state
     */
    isShown({ room }) {
      const isOver = room.status === "ended" || (room.status === "closed" && room.results !== undefined);
      return isOver && putAway !== room.gameNumber;
    },
    /**
     * @param {RoomState} state
     * @param {boolean} isShown
     */
    draw(state, isShown) {
      const told = news.game === state.room.gameNumber ? news.words : "";
      if (view.part) view.part.draw(state, isShown, told);
      else if (isShown) view.use(drawAgain);
    },
    /**
     * @param {import("../net/messages.js").EventGameEnded} end
     * @param {boolean} wasAtGame whether the keyboard was: nobody is taken away from what they write
     */
    begin(end, wasAtGame) {
      const game = room.state.room.gameNumber;
      draw();
      view.use(({ celebrate, noteOwnBest }) => {
        news = { game, words: noteOwnBest(end, room.state.you.player) ? text("end.best") : "" };
        draw();
        const isThereYet = wasAtGame && isAtGame();
        if (isThereYet || document.activeElement === document.body) element("end-title").focus({ preventScroll: true });
        setTimeout(() => {
          if (room.state.room.gameNumber === game && isTriumph(room.state)) celebrate();
        }, BEFORE_CONFETTI);
      });
      shell.quietMoment();
    },
  };
}

/**
 * A room is first seen before it.
 * @param {string} again
 */
async function bringEnding(again) {
  /** @type {[typeof import("../views/ending.js"), typeof import("../views/confetti.js"),
   *   typeof import("../store/bests.js"), void]} */
  const [{ ending }, { celebrate }, { noteOwnBest }] = await Promise.all([import(`../views/ending.js${again}`),
    import(`../views/confetti.js${again}`), import(`../store/bests.js${again}`), styled(`/styles/ending.css${again}`)]);
  const [root, title, detail] = ["end", "end-title", "end-detail"].map(element);
  const [places, series, news, rematch] = ["places", "end-series", "end-news", "end-rematch"].map(element);
  const [yes, no, replay] = ["again", "end-no", "end-replay"].map(element);
  const [wanted, answers] = ["end-wishes", "end-answers"].map(element);
  const draw = ending({ root, title, detail, places, series, news, rematch, wanted, yes, no, answers, replay });
  return () => ({ draw, celebrate, noteOwnBest });
}
