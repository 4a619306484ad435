// @ts-check
import { about, has, text } from "../../texts/texts.js";
import { nameOfTheme, remark } from "./faces.js";
import * as rules from "./fold.js";
import * as form from "./options.js";
import { isRace, ownerOf } from "./race.js";
import { en } from "./texts/en.js";

/** @typedef {import("./fold.js").View} View */

/** @type {import("../game.js").Game<View>} */
export const memory = {
  title: "memory",
  seats: [1, 8],
  levels: ["easy", "medium", "perfect"],
  texts: {
    en, load: (language) => import(`./texts/${language}.js`), howToPlay: () => import("./texts/how-to-play.en.js"),
  },

  // Every game of Memory has a theme and a board of pairs.
  start: (started) => rules.start(/** @type {import("./fold.js").Started} */ (started)),
  fold: rules.fold,
  times: ["revealUntil", "bonusFrom"],
  deadline: rules.deadline,

  targets: ({ cells }) => cells.length,
  move: (cell) => ({ type: "flip", cell }),
  mayMove: rules.mayMove,
  movesLeft: rules.movesLeft,
  // In a race the board stays where its player looks.
  happenedAt: (event, view, seat) =>
    (event.type === "show-card" && !(view?.attempts && seat !== undefined) ? event.cell : undefined),
  whyNot: rules.whyNot,
  buttons: [
    { type: "shuffle", label: "memory.shuffle", whyNot: rules.whyNotShuffle },
  ],
  bonus: { lasts: rules.BONUS_TIME, isOffered: rules.hasBonus, since: rules.bonusSince },

  isBegun: ({ turns }) => Object.values(turns).some((count) => count > 0),
  movers: rules.movers,
  movedLast: ({ mover = -1, turns }) => (turns[mover] > 0 ? mover : undefined),
  turnText(view, seat = -1) {
    const up = rules.cardsUp(view, seat).length, isWaiting = isRace(view) && !rules.mayMove(view, seat);
    if (up === 0) return isRace(view) && rules.movers(view).length > 1 ? "memory.race" : "memory.turn";
    return up === 1 && !isWaiting ? "memory.twin" : "memory.no-pair";
  },
  // So many cards turn in a race that players hear only of their own, and of pairs.
  isSpoken(event, before, seat = -1) {
    if (!isRace(before)) return true;
    if (event.type === "show-card") return event.seat === seat;
    return event.type !== "hide-card" || ownerOf(before, event.cells[0]) === seat;
  },
  sentence(event, who, view, before) {
    switch (event.type) {
      case "show-card":
        return about("memory.show-card", who(event.seat), { card: event.cell + 1, face: nameOfFace(event.face) });
      case "hide-card": return text(event.cells.length === 2 ? "memory.hide-cards" : "memory.hide-card");
      case "match": {
        const found = about("memory.match", who(event.seat));
        const owner = before ? ownerOf(before, event.cells[0]) ?? event.seat : event.seat;
        return owner !== event.seat && who(owner).isYou ? `${found} ${text("memory.taken")}` : found;
      }
      case "cards-shuffled": return about("memory.cards-shuffled", who(event.seat));
      default: return "";
    }
  },
  remaining: ({ pairsLeft }) => text("memory.pairs-left", { count: pairsLeft }),
  caption: ({ theme }) => text("memory.cards", { theme: nameOfTheme(theme.name) }),
  marks: { match: "gain" },
  ending: {
    title: (result, view, isYou) => (isYou ? rating(result, view) : text("end.all-found")),
    remark(results, view) {
      if (results.length > 1 || !view?.pairs) return "";
      const perfect = 1.613706 * view.pairs - 0.511294;
      return text("end.perfect", { turns: results[0].turns, mean: Math.round(perfect) });
    },
  },
  howToPlay: () => [
    text("how.memory"), text("how.scores"),
    {
      id: "rules", head: [text("option.rule"), text("how.pair"), text("how.no-pair"), ""],
      rows: form.RULES.map((rule) => ["", ".match", ".miss", ".remark"].map((part) => text(`rule.${rule}${part}`))),
    },
    text("how.bonus"), text("how.race"),
  ],

  options: { ...form, remark },
  modes: ["pairs-4x4", "easy-2x5", "medium-2x7", "hard-4x5", "free-pairs-4x4"],
  // `hard-4x5` is "Hard · 4 × 5".
  modeText(mode) {
    const [rules, size = ""] = mode.split(/-(?=\d+x\d+$)/);
    const words = rules.split("-").map((rule) => (rule === "free" ? text("memory.race.name")
      : has(`rule.${rule}`) ? text(`rule.${rule}`) : rule));
    return [...words, size.replace("x", " × ")].filter(Boolean).join(" · ");
  },

  demonstration: () => import("./demonstration.js"),
  board: (again = "") => import(`./board.js${again}`),
  style: "/games/memory/board.css",
  sounds: (again = "") => import(`./sounds.js${again}`),
  result: (again = "") => import(`./result.js${again}`),
  check: (again = "") => import(`./check.js${again}`),
};

/**
 * A face in words: drawings have a name in each language, any other face speaks for itself.
 * @param {string} face
 */
export function nameOfFace(face) {
  const key = `picture.${face}`;
  return has(key) ? text(key) : face;
}

/**
 * A rating for a player alone, by turns and cells of the board; a gap counts.
 * @param {{turns?: number, pairs?: number}} result
 * @param {View | null} view
 */
function rating({ turns = 0, pairs = 0 }, view) {
  const cells = view ? view.columns * view.rows : 2 * pairs;
  if (turns <= 0.75 * cells) return text("rating.excellent");
  if (turns <= cells) return text("rating.great");
  return text(turns < 1.5 * cells ? "rating.good" : "rating.done");
}
