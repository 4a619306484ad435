// @ts-check
import { about, text } from "../../texts/texts.js";
import { bookSize, FIRST_PLAYER, fold, move, RANKS, start, whyNot } from "./fold.js";
import { en } from "./texts/en.js";

/** @typedef {import("./fold.js").View} View */

/** @type {import("../game.js").Game<View>} */
export const goFish = {
  title: "go-fish",
  seats: [2, 6],
  levels: ["1", "2", "3"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  start,
  fold,

  targets: () => FIRST_PLAYER + 6,
  move,
  mayMove: (view, seat) => view.awaited.includes(seat),
  whyNot,
  buttons: [{
    type: "resign", label: "go-fish.resign", question: "go-fish.resign.question",
    whyNot: ({ out }, seat) => (out.some((one) => one.seat === seat) ? "go-fish.out" : ""),
  }],

  isBegun: ({ last }) => last !== undefined,
  // A player who got cards, or fished the right one, asks again, unless their time has run out since.
  movedLast: ({ last, late }) => (last && (last.count > 0 || last.lucky) && !late[last.seat] ? last.seat : undefined),
  turnText: () => "now.move",
  sentence(recorded, who, view) {
    const event = /** @type {import("./fold.js").GoFishEvent} */ (/** @type {unknown} */ (recorded));
    switch (event.type) {
      case "cards-asked": return question(event, who);
      case "card-drawn": return about(`go-fish.${event.rank === undefined ? "drew" : "lucky"}`, who(event.seat));
      case "book": {
        const ranks = nameOfRank(event.rank);
        return about(`go-fish.${isForPairs(view) ? "pair" : "book"}`, who(event.seat), { ranks });
      }
      case "resigned": return about("go-fish.resigned", who(event.seat));
      default: return "";
    }
  },
  remaining: (view) => {
    const count = 52 / bookSize(view) - view.books.length;
    return text(`go-fish.${isForPairs(view) ? "pairs" : "books"}-left`, { count });
  },
  disc: () => "seat",
  marks: { book: "gain", resigned: "loss" },
  howToPlay: () => ["how.go-fish", "how.go-fish.fish", "how.go-fish.end"].map((key) => text(key)),

  options: {
    shown: [{
      name: "books", label: "go-fish.books",
      choices: () => ["fours", "pairs"].map((value) => ({ value, label: nameOfBooks(value) })),
    }],
    /** @param {import("../../net/messages.js").GoFishOptions} options */
    describe: ({ books }) => [text("go-fish"), ...(books === undefined ? [] : [nameOfBooks(books)])],
  },
  modes: ["fours", "pairs"],
  modeText: nameOfBooks,

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/go-fish/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
  hands: (again = "") => import(`./hands.js${again}`),
  check: (again = "") => import(`./check.js${again}`),
};

/** @param {Parameters<typeof bookSize>[0] | null} [view] */
const isForPairs = (view) => Boolean(view) && bookSize(view ?? {}) === 2;

/** @param {string} books */
function nameOfBooks(books) {
  return ["fours", "pairs"].includes(books) ? text(`go-fish.${books}`) : books;
}

/**
 * The cards of a rank in words: sevens.
 * @param {string} rank
 */
export const nameOfRank = (rank) => text("go-fish.ranks").split(" | ")[RANKS.indexOf(rank)];

/**
 * A question and its answer in words.
 * @param {Pick<import("./fold.js").Question, "seat" | "of" | "rank" | "count">} asked
 * @param {(seat: number) => {name: string, isYou: boolean}} who
 */
export function question({ seat, of, rank, count }, who) {
  const other = who(of), key = `go-fish.${count > 0 ? "got" : "none"}${other.isYou ? "-yours" : ""}`;
  return about(key, who(seat), { other: other.name, ranks: nameOfRank(rank), count });
}
