// @ts-check
import { isComputer, isHere, seatedIn } from "../games/room.js";
import { isPostponed, postpone } from "../store/postponed-start.js";
import { refusal, text } from "../texts/texts.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** A quick game whose seats are all taken starts after so long, in ms. */
const DELAY = 3_000;
/** What the hub says of a start where another page of the host was faster. */
const STARTED = ["game-running", "dealing", "played-already"];

/**
 * Starts a quick game once all its seats are taken: `words` says so while that lasts, to all who play; the page of its
 * host starts it, once, unless the host has put that off by `stop`. Browsers let timers of a page in the background
 * come late, so each message that comes looks at the time, too.
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
    /** From now on only the host's own press starts a game with the people who sit there. */
    stop() {
      postpone(room.code, counted);
      draw();
    },
  };
}

/** Who sits at a table where a quick game may start; empty where it may not, or who looks does not sit there. */
function tableThatIsFull(/** @type {RoomState} */ state) {
  const { room, room: { visibility, status, seats }, you } = state, seated = seatedIn(room);
  const people = seated.filter((player) => !isComputer(player));
  const isFull = seated.length === seats.length && people.length > 1 && people.every((player) => isHere(state, player));
  const mayStart = visibility === "seeking" && status === "waiting" && you.seat !== undefined && isFull;
  return mayStart ? seated.sort().join() : "";
}
