// @ts-check
import { arrivalsIn } from "../games/arrivals.js";
import { UNKNOWN_NAME } from "../games/room.js";
import { text } from "../texts/texts.js";
import { nameOf } from "../views/names.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** How long the title names the arrival, in ms, if the page is visible; otherwise until it becomes visible. */
const STAY = 5_000;

/**
 * Tells players who wait for others that they have come: reads it aloud, and shows it in the title of the window, which
 * is the only visible part of a background page. `news` is that title.
 * @param {import("./room-session.js").RoomSession} room
 * @param {(sentence: string) => void} say
 * @param {() => void} draw
 */
export function followArrivals(room, say, draw) {
  let news = "", timer = 0;
  /** @type {{player: string, sits: boolean}[]} */
  let untold = [];
  const end = () => {
    news = "";
    draw();
  };
  const stay = () => {
    clearTimeout(timer);
    if (news && !document.hidden) timer = window.setTimeout(end, STAY);
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden && news) end(); });
  return {
    get news() { return news; },
    hear(/** @type {RoomState | null} */ before) {
      const { state } = room;
      const isKnown = (/** @type {{player: string}} */ { player }) =>
        (state.names[player] ?? UNKNOWN_NAME) !== UNKNOWN_NAME;
      const come = arrivalsIn(before, state);
      untold = [...untold.filter((one) => !come.some(({ player }) => player === one.player)), ...come];
      const told = untold.filter(isKnown);
      if (told.length === 0) return;
      untold = untold.filter((one) => !isKnown(one));
      for (const { player, sits } of told) {
        news = text(sits ? "arrival.sits" : "arrival.here", { name: nameOf(state, player) });
        say(news);
      }
      stay();
      draw();
    },
  };
}
