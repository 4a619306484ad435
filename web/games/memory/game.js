// @ts-check
import { about, has, text } from "../../texts/texts.js";
import { nameOfTheme, remark } from "./faces.js";
import { BONUS_TIME, fold, hasBonus, mayMove, movesLeft, start, whyNot, whyNotShuffle } from "./fold.js";
import * as form from "./options.js";
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
  start: (started) => start(/** @type {import("./fold.js").Started} */ (started)),
  fold,
  times: ["revealUntil", "bonusFrom"],

  targets: ({ cells }) => cells.length,
  move: (cell) => ({ type: "flip", cell }),
  mayMove,
  movesLeft,
  happenedAt: (event) => (event.type === "show-card" ? event.cell : undefined),
  whyNot,
  buttons: [
    { type: "shuffle", label: "memory.shuffle", whyNot: whyNotShuffle },
  ],
  bonus: { lasts: BONUS_TIME, isOffered: hasBonus, since: ({ bonusFrom }) => bonusFrom },

  isBegun: ({ turns }) => Object.values(turns).some((count) => count > 0),
  movers: ({ mover }) => [mover],
  movedLast: ({ mover, turns }) => (turns[mover] > 0 ? mover : undefined),
  turnText: ({ up }) => ["memory.turn", "memory.twin", "memory.no-pair"][up.length],
  sentence(event, who) {
    switch (event.type) {
      case "show-card":
        return about("memory.show-card", who(event.seat), { card: event.cell + 1, face: nameOfFace(event.face) });
      case "hide-card": return text(event.cells.length === 2 ? "memory.hide-cards" : "memory.hide-card");
      case "match": case "cards-shuffled": return about(`memory.${event.type}`, who(event.seat));
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
    text("how.bonus"),
  ],

  options: { ...form, remark },
  modes: ["pairs-4x4", "easy-2x5", "medium-2x7", "hard-4x5"],
  // `hard-4x5` is "Hard · 4 × 5".
  modeText: (mode) => {
    const [rule, size] = mode.split(/-(?=\d+x\d+$)/), words = has(`rule.${rule}`) ? text(`rule.${rule}`) : rule;
    return size ? `${words} · ${size.replace("x", " × ")}` : words;
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
