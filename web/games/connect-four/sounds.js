// @ts-check

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  drop: (play, at) => {
    play.tone({ at, from: 520, to: 180, lasts: 0.16, peak: 0.18, shape: "sine" });
    play.hiss({ at: at + 0.16, lasts: 0.05, peak: 0.4, from: 1_800, to: 700 });
    play.tone({ at: at + 0.16, from: 190, to: 140, lasts: 0.12, peak: 0.4, shape: "sine" });
  },
};

/** @type {import("../game.js").CueFinder} */
export const cuesOf = ({ type }) => (type === "drop-disc" ? [{ cue: "drop", delay: 0 }] : []);
