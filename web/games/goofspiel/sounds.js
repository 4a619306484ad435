// @ts-check

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  prize: (play, at) => {
    play.hiss({ at, lasts: 0.1, peak: 0.24, from: 2_600, to: 1_500 });
    play.tone({ at: at + 0.06, from: 620, to: 780, lasts: 0.14, peak: 0.16, shape: "triangle" });
  },
  sealed: (play, at) => play.hiss({ at, lasts: 0.09, peak: 0.24, from: 1_800, to: 900 }),
  shown: (play, at) => {
    for (const after of [0, 0.08]) play.hiss({ at: at + after, lasts: 0.1, peak: 0.26, from: 3_400, to: 2_000 });
  },
  won: (play, at) => {
    sounds.shown(play, at);
    for (const [index, from] of [520, 660, 880].entries()) {
      play.tone({ at: at + 0.16 + index * 0.08, from, to: from, lasts: 0.16, peak: 0.18, shape: "triangle" });
    }
  },
};

/** @type {import("../game.js").CueFinder} */
export function cuesOf(message) {
  switch (message.type) {
    case "prize-shown": return [{ cue: "prize", delay: 900 }];
    case "bid-sealed": return [{ cue: "sealed", delay: 0 }];
    case "bids-shown": return [{ cue: message.winner === undefined ? "shown" : "won", delay: 0 }];
    default: return [];
  }
}
