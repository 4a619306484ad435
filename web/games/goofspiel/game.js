// @ts-check
import { about, listed, text } from "../../texts/texts.js";
import { fold, start, whyNot } from "./fold.js";
import { en } from "./texts/en.js";

/** Cards of each player; the first is the hub's default. */
const CARDS = [13, 4, 7, 10];
const nameOfCards = (/** @type {number} */ count) => text("goofspiel.cards", { count });

/** @type {import("../game.js").Game<import("./fold.js").View>} */
export const goofspiel = {
  title: "goofspiel",
  seats: [2, 5],
  levels: ["1", "2", "3", "4"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  start,
  fold,

  // The target of a card is one less than its value.
  targets: ({ cards }) => cards,
  move: (target) => ({ type: "bid", card: target + 1 }),
  mayMove: (view, seat) => view.awaited.includes(seat),
  whyNot,
  buttons: [{
    type: "resign", label: "goofspiel.resign", question: "goofspiel.resign.question",
    whyNot: ({ out }, seat) => (out.some((one) => one.seat === seat) ? "goofspiel.out" : ""),
  }],

  isBegun: ({ rounds, bidders }) => rounds.length + bidders.length > 0,
  turnText: () => "now.move",
  sentence(event, who) {
    switch (event.type) {
      case "prize-shown": return text("goofspiel.prize-shown", { prize: event.prize });
      case "bid-sealed": case "resigned": return about(`goofspiel.${event.type}`, who(event.seat));
      case "bids-shown": {
        const { bids, winner, stake } = event;
        const shown = listed(bids.map(({ seat, card }) => about("goofspiel.bid", who(seat), { card })));
        const won = winner === undefined ? text("goofspiel.kept", { count: stake })
          : about("goofspiel.won", who(winner), { count: stake });
        return text("goofspiel.shown", { shown, won });
      }
      default: return "";
    }
  },
  remaining: ({ prizes }) => text("goofspiel.prizes-left", { count: prizes.length }),
  disc: () => "seat",
  marks: { "bids-shown": "gain", resigned: "loss" },
  howToPlay: () => ["how.goofspiel", "how.goofspiel.ties", "how.goofspiel.end"].map((key) => text(key)),

  options: {
    shown: [{
      name: "cards", label: "goofspiel.hand",
      choices: () => CARDS.map((value) => ({ value, label: nameOfCards(value) })),
    }],
    /** @param {import("../../net/messages.js").GoofspielOptions} options */
    describe: ({ cards }) => [text("goofspiel"), ...(cards === undefined ? [] : [nameOfCards(cards)])],
  },
  modes: CARDS.map(String),
  modeText: (mode) => nameOfCards(Number(mode)),

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/goofspiel/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
  hands: (again = "") => import(`./hands.js${again}`),
  check: (again = "") => import(`./check.js${again}`),
};
