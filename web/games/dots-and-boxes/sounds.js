// @ts-check

/** @type {Record<string, import("../game.js").SoundMaker>} */
export const sounds = {
  line: (play, at) => play.hiss({ at, lasts: 0.14, peak: 0.28, from: 2_600, to: 3_800 }),
  box: (play, at) => {
    sounds.line(play, at);
    play.tone({ at: at + 0.14, from: 520, to: 620, lasts: 0.16, peak: 0.25, shape: "triangle" });
  },
};

/** @type {import("../game.js").CueFinder} */
export const cuesOf = (message) =>
  (message.type === "draw-line" ? [{ cue: message.boxes ? "box" : "line", delay: 0 }] : []);
