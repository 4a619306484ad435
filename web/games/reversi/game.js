// @ts-check
import { about, text } from "../../texts/texts.js";
import { fold, nameOfCell, start } from "./fold.js";
import { en } from "./texts/en.js";

/** @type {import("../game.js").Game<import("./fold.js").View>} */
export const reversi = {
  title: "reversi",
  seats: [2, 2],
  levels: ["1", "2", "3", "4", "5"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  start,
  fold,

  targets: ({ cells }) => cells.length,
  move: (cell) => ({ type: "place", cell }),
  mayMove: (view, seat) => view.awaited.includes(seat) && view.legal.length > 0,
  whyNot(view, cell) {
    if (view.cells[cell] !== null) return "error.cell-is-taken";
    return view.legal.includes(cell) ? "" : "error.flips-nothing";
  },
  happenedAt: (event) => (event.type === "place-disc" ? event.cell : undefined),
  buttons: [{ type: "resign", label: "reversi.resign", whyNot: () => "", question: "reversi.resign.question" }],

  isBegun: ({ moves }) => moves !== "",
  movedLast: ({ last, cells }) => (last ? cells[last.cell] ?? undefined : undefined),
  turnText: () => "now.move",
  sentence(event, who) {
    switch (event.type) {
      case "place-disc": {
        const values = { cell: nameOfCell(event.cell), count: event.flips.length };
        return about("reversi.place-disc", who(event.seat), values);
      }
      case "pass": case "resigned": return about(`reversi.${event.type}`, who(event.seat));
      default: return "";
    }
  },
  points: (view, seat) => view.counts[seat],
  disc: (view, seat) => (view.black === seat ? "black" : "white"),
  marks: { resigned: "loss" },
  howToPlay: () => [text("how.reversi")],
  modes: ["8x8"],

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/reversi/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
};
