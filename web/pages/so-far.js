// @ts-check
import { text } from "../texts.js";
import { show, write } from "../views/sparing.js";
import { element } from "./elements.js";

/** Who comes late sees the game up to now in this time, in ms, or less. */
const SO_FAR_TIME = 10_000;

/**
 * Wires the button that shows a running game from its start in a few seconds, in the room's own board, and the link to
 * the replay. What happens meanwhile goes on behind it: `page.past` only stands before `page.state`. The function it
 * returns shows them where they fit.
 * @param {{code: string, state: any, past: any, draw: () => void, toast: (text: string, kind?: string) => void}} page
 */
export function wireSoFar(page) {
  const button = element("so-far"), link = element("replay-link");
  link.href = `/replay/${encodeURIComponent(page.code)}`;
  /** @type {import("../client.js").Playback | null} */
  let playback = null;
  const stop = () => {
    playback?.pause();
    playback = null;
    page.past = null;
    page.draw();
  };
  const look = async () => {
    button.disabled = true;
    try {
      playback = await playing(page, () => {
        stop();
        page.toast(text("replay.is-live"));
      });
    } catch { page.toast(text("replay.failed"), "bad"); }
    button.disabled = false;
    page.draw();
  };
  button.addEventListener("click", () => (playback ? stop() : look()));
  return function draw() {
    const { room, you, view } = page.state;
    const isRunning = room.status === "running" || room.status === "dealing";
    // Who plays is to remember the cards, not to look them up.
    const mayLookBack = you.seat === undefined || !isRunning;
    show(button, Boolean(room.status === "running" && view && you.seat === undefined));
    element("room").dataset.past = String(Boolean(page.past));
    write(button, text(playback ? "replay.to-now" : "replay.so-far"));
    show(link, mayLookBack && room.gameNumber > 0);
    // Over, or a seat was taken: nobody is kept in the past.
    if (playback && button.hidden) stop();
  };
}

/** Shows the game from its start up to what the log holds now, then calls `done`. */
async function playing(page, done) {
  const { browser, downloadLog, Playback, speedFor, Timeline } = await import("../client.js");
  const timeline = new Timeline(page.code);
  for (const { event } of await downloadLog(page.code)) timeline.add(event);
  const from = timeline.events.filter(({ type }) => type === "game-started").at(-1)?.v ?? timeline.length;
  let isOver = false;
  const playback = new Playback(timeline, browser, () => {
    if (isOver) return;
    isOver = playback.isFollowing;
    if (isOver) return done();
    // Names, who is here and who looks on are those of now.
    const { names, presence, you } = page.state;
    page.past = { ...timeline.at(playback.version), names, presence, you };
    page.draw();
  });
  playback.version = from;
  playback.setSpeed(speedFor(timeline.events, from, timeline.length, SO_FAR_TIME));
  playback.play(from);
  return playback;
}
