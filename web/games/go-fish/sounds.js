// @ts-check

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  given: (play, at) => {
    for (const after of [0, 0.09]) play.hiss({ at: at + after, lasts: 0.1, peak: 0.3, from: 3_400, to: 1_600 });
  },
  splash: (play, at) => {
    play.hiss({ at, lasts: 0.26, peak: 0.26, from: 900, to: 300 });
    play.tone({ at: at + 0.04, from: 420, to: 180, lasts: 0.16, peak: 0.14, shape: "sine" });
  },
  drawn: (play, at) => play.hiss({ at, lasts: 0.12, peak: 0.2, from: 2_600, to: 1_400 }),
  lucky: (play, at) => {
    for (const [index, from] of [660, 880].entries()) {
      play.tone({ at: at + index * 0.1, from, to: from * 1.02, lasts: 0.16, peak: 0.2, shape: "triangle" });
    }
  },
  laid: (play, at) => {
    for (const [index, from] of [520, 660, 780].entries()) {
      play.tone({ at: at + index * 0.08, from, to: from, lasts: 0.18, peak: 0.2, shape: "triangle" });
    }
  },
};

/** @type {import("../game.js").CueFinder} */
export function cuesOf(message) {
  const event = /** @type {import("./fold.js").GoFishEvent} */ (/** @type {unknown} */ (message));
  switch (event.type) {
    case "cards-asked": return [{ cue: event.count > 0 ? "given" : "splash", delay: 0 }];
    case "card-drawn": return [{ cue: event.rank === undefined ? "drawn" : "lucky", delay: 250 }];
    case "book": return [{ cue: "laid", delay: 350 }];
    default: return [];
  }
}
