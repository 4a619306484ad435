// @ts-check
import { about, text } from "../../texts/texts.js";
import { fold, start } from "./fold.js";
import { en } from "./texts/en.js";

/** Dots a side; the first is the hub's default. */
const SIZES = [5, 3, 4, 6];

/** @type {import("../game.js").Game<import("./fold.js").View>} */
export const dotsAndBoxes = {
  title: "dots-and-boxes",
  seats: [2, 4],
  levels: ["1", "2", "3", "4", "5"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  start,
  fold,

  targets: ({ lines }) => lines.length,
  move: (line) => ({ type: "draw", line }),
  mayMove: (view, seat) => view.awaited.includes(seat),
  whyNot: (view, line) => (view.lines[line] === null ? "" : "error.line-is-drawn"),
  happenedAt: (event) => (event.type === "draw-line" ? event.line : undefined),
  buttons: [{
    type: "resign", label: "dots-and-boxes.resign", question: "dots-and-boxes.resign.question",
    whyNot: ({ out }, seat) => (out.some((one) => one.seat === seat) ? "dots-and-boxes.out" : ""),
  }],

  isBegun: ({ lines }) => lines.some((seat) => seat !== null),
  movedLast: ({ last, lines }) => (last === undefined ? last : lines[last] ?? undefined),
  turnText: () => "now.move",
  sentence(event, who) {
    switch (event.type) {
      case "draw-line": {
        const count = event.boxes?.length ?? 0;
        return about(`dots-and-boxes.${["draw-line", "box", "boxes"][count]}`, who(event.seat));
      }
      case "resigned": return about("dots-and-boxes.resigned", who(event.seat));
      default: return "";
    }
  },
  remaining: ({ boxes }) => text("dots-and-boxes.boxes-left", { count: boxes.filter((seat) => seat === null).length }),
  disc: () => "seat",
  marks: { resigned: "loss" },
  howToPlay: () => [text("how.dots-and-boxes"), text("how.dots-and-boxes.chains")],

  options: {
    shown: [{
      name: "size", label: "dots-and-boxes.size",
      choices: () => SIZES.map((size) =>
        ({ value: size, label: text("dots-and-boxes.dots", { size }), picture: [size - 1, size - 1] })),
    }],
    /** @param {import("../../net/messages.js").DotsAndBoxesOptions} options */
    describe: ({ size }) =>
      [text("dots-and-boxes"), ...(size === undefined ? [] : [text("dots-and-boxes.dots", { size })])],
  },
  modes: ["5x5", "3x3", "4x4", "6x6"],

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/dots-and-boxes/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
};
