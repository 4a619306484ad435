// @ts-check
import { isComputer, isHere, seatedIn } from "../games/room.js";
import { isPostponed, postpone } from "../store/postponed-start.js";
import { refusal, text } from "../texts/texts.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** A quick game with all seats taken starts after this long, in ms. */
const DELAY = 3_000;
/** The hub's answers if another page of the host was faster. */
const STARTED = ["game-running", "dealing", "played-already"];

/**
 * Starts a quick game once all its seats are taken. Until it starts, `words` says so to all players. The host's page
 * starts it, once, unless the host has called `stop`. Browsers delay timers in background pages, so each incoming
 * message checks the time too.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Toast} toast
 * @param {() => void} draw
 */
export function startCountdown(room, toast, draw) {
  let counted = "", began = 0, isDone = false, timer = 0;
  const start = async () => {
    const answer = await room.command("start");
    if (answer.type === "error" && !STARTED.includes(answer.code)) toast(refusal(answer, room.hubTime), "bad");
  };
  return {
    words() {
      const table = tableThatIsFull(room.state);
      clearTimeout(timer);
      if (table !== counted) [counted, began, isDone] = [table, performance.now(), false];
      if (!counted || isDone || isPostponed(room.code, counted)) return "";
      const left = began + DELAY - performance.now();
      if (left > 0) {
        timer = window.setTimeout(draw, left % 1_000 || 1_000);
        return text("quick.starts", { seconds: Math.ceil(left / 1_000) });
      }
      isDone = true;
      if (room.state.you.isHost) start();
      return "";
    },
    /** From now on, only the host's own press starts a game with these people. */
    stop() {
      postpone(room.code, counted);
      draw();
    },
  };
}

/** Who sits at a table where a quick game may start; empty if it may not, or the viewer does not sit there. */
function tableThatIsFull(/** @type {RoomState} */ state) {
  const { room, room: { visibility, status, seats }, you } = state, seated = seatedIn(room);
  const people = seated.filter((player) => !isComputer(player));
  const isFull = seated.length === seats.length && people.length > 1 && people.every((player) => isHere(state, player));
  const mayStart = visibility === "seeking" && status === "waiting" && you.seat !== undefined && isFull;
  return mayStart ? seated.sort().join() : "";
}
