// @ts-check
import { misses } from "./fold.js";

/** When the second card becomes visible, in ms after it starts to turn: its sound plays then. */
const SEEN = 340;

/** @typedef {import("./fold.js").View} View */

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  flip: (play, at) => {
    play.hiss({ at, lasts: 0.11, peak: 0.3, from: 1_400, to: 4_200 });
    play.tone({ at: at + 0.06, from: 330, to: 392, lasts: 0.08, peak: 0.1, shape: "triangle" });
  },
  match: (play, at) => [659.26, 880, 1_108.73].forEach((from, index) =>
    play.tone({ at: at + index * 0.085, from, lasts: 0.34, peak: 0.2, shape: "triangle" })),
  mismatch: (play, at) => [246.94, 207.65].forEach((from, index) =>
    play.tone({ at: at + index * 0.13, from, to: from * 0.97, lasts: 0.22, peak: 0.2, shape: "triangle" })),
  shuffle: (play, at) => [0, 1, 2, 3, 4, 5].forEach((index) =>
    play.hiss({ at: at + index * 0.07, lasts: 0.07, peak: 0.22, from: 1_800 + index * 260, to: 3_600 })),
};

/**
 * Whether a card makes two different ones. In a race players hear that only of their own.
 * @param {import("../game.js").RoomState} state
 * @param {import("../../net/messages.js").EventShowCard} event
 */
function isMiss({ view, you }, { cell, seat }) {
  const { attempts } = /** @type {View} */ (view), isOwn = you.seat === undefined || you.seat === seat;
  return (!attempts || isOwn) && misses(/** @type {View} */ (view)).includes(cell);
}

/** @type {import("../game.js").CueFinder} */
export function cuesOf(message, before, after) {
  switch (message.type) {
    case "show-card": {
      return [{ cue: "flip", delay: 0 }, ...(isMiss(after, message) ? [{ cue: "mismatch", delay: SEEN }] : [])];
    }
    case "match": return [{ cue: "match", delay: SEEN }];
    case "cards-shuffled": return [{ cue: "shuffle", delay: 0 }];
    default: return [];
  }
}
