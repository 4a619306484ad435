// @ts-check
import { about, text } from "../../texts/texts.js";
import { COLUMNS, fold, isOver, landing, start } from "./fold.js";
import { en } from "./texts/en.js";

/** @type {import("../game.js").Game<import("./fold.js").View>} */
export const connectFour = {
  title: "connect-four",
  seats: [2, 2],
  levels: ["1", "2", "3"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  start,
  fold,

  targets: ({ cells }) => cells.length,
  move: (cell) => ({ type: "drop", column: cell % COLUMNS }),
  // A press on any cell of a column drops a disc into it.
  whyNot: (view, cell) => (landing(view, cell) === undefined ? "error.column-is-full" : ""),
  mayMove: (view, seat) => view.awaited.includes(seat),
  happenedAt: (event) => (event.type === "drop-disc" ? event.cell : undefined),
  buttons: [
    { type: "resign", label: "connect-four.resign", whyNot: () => "", question: "connect-four.resign.question" },
  ],

  isBegun: ({ moves }) => moves !== "",
  movedLast: ({ last, cells }) => (last === undefined ? last : cells[last] ?? undefined),
  turnText: () => "now.move",
  sentence(event, who) {
    switch (event.type) {
      case "drop-disc": {
        const key = event.line ? "connect-four.drop-disc.line" : "connect-four.drop-disc";
        return about(key, who(event.seat), { column: (event.cell % COLUMNS) + 1 });
      }
      case "resigned": return about("connect-four.resigned", who(event.seat));
      default: return "";
    }
  },
  disc: () => "seat",
  marks: { resigned: "loss" },
  howToPlay: () => [text("how.connect-four")],
  modes: ["7x6"],

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/connect-four/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
};
