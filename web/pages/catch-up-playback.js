// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Latecomers see the game so far in at most this time, in ms. */
const PLAYBACK_TIME = 10_000;

/**
 * Wires the button that plays a running game from its start within a few seconds on the room's own board, and the link
 * to the replay. The game continues in the background: `past` only covers the room's state. `draw` shows the button and
 * the link when they apply.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} drawRoom
 */
export function catchUpPlayback(room, shell, drawRoom) {
  const button = element("so-far"), link = element("replay-link");
  link.href = `/replay/${encodeURIComponent(room.code)}`;
  /** @type {import("../client.js").Playback | null} */
  let playback = null;
  let past = /** @type {RoomState | null} */ (null);
  const stop = () => {
    playback?.pause();
    playback = null;
    past = null;
    drawRoom();
  };
  const look = async () => {
    button.disabled = true;
    try {
      const show = (/** @type {RoomState} */ state) => {
        past = state;
        drawRoom();
      };
      playback = await playing(room, show, () => {
        stop();
        shell.toast(text("replay.is-live"));
      });
    } catch { shell.toast(text("replay.failed"), "bad"); }
    button.disabled = false;
    drawRoom();
  };
  button.addEventListener("click", () => (playback ? stop() : look()));
  const draw = (/** @type {boolean} */ isEndDue) => {
    const { room: { status, gameNumber }, you, view } = room.state;
    const isRunning = status === "running" || status === "dealing";
    // Players should remember the cards, not look them up.
    const mayLookBack = you.seat === undefined || !isRunning;
    show(button, Boolean(status === "running" && view && you.seat === undefined));
    element("room").dataset.past = String(Boolean(past));
    write(button, text(playback ? "replay.to-now" : "replay.so-far"));
    // The end of a game has a link of its own.
    show(link, mayLookBack && gameNumber > 0 && !isEndDue);
    // The game is over, or the viewer took a seat: do not hold them in the past.
    if (playback && button.hidden) stop();
  };
  return { draw, get past() { return past; } };
}

/**
 * Plays the game from its start up to the current end of the log, then calls `done`.
 * @param {import("./room-session.js").RoomSession} room
 * @param {(state: RoomState) => void} show
 * @param {() => void} done
 */
async function playing(room, show, done) {
  const { browser, downloadLog, Playback, speedFor, Timeline } = await import("../client.js");
  const timeline = new Timeline(room.code);
  for (const { event } of await downloadLog(room.code)) timeline.add(event);
  const from = timeline.events.filter(({ type }) => type === "game-started").at(-1)?.v ?? timeline.length;
  let isOver = false;
  const playback = new Playback(timeline, browser, () => {
    if (isOver) return;
    isOver = playback.isFollowing;
    if (isOver) return done();
    // Names and presence are the current ones.
    const { names, presence, you } = room.state;
    show({ ...timeline.at(playback.version), names, presence, you });
  });
  playback.version = from;
  playback.setSpeed(speedFor(timeline.events, from, timeline.length, PLAYBACK_TIME));
  playback.play(from);
  return playback;
}
