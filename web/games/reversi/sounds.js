// @ts-check

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  place: (play, at) => {
    play.hiss({ at, lasts: 0.04, peak: 0.4, from: 2_400, to: 900 });
    play.tone({ at, from: 210, to: 150, lasts: 0.12, peak: 0.4, shape: "sine" });
  },
};

/** @type {import("../game.js").CueFinder} */
export const cuesOf = ({ type }) => (type === "place-disc" ? [{ cue: "place", delay: 0 }] : []);
