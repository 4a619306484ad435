// @ts-check
import { deal, pairsFor, reshuffled } from "./deal.js";
import "./texts/check.en.js";

/**
 * @typedef {import("../../net/messages.js").EventShowCard} EventShowCard
 * @typedef {import("../../net/messages.js").EventCardsShuffled & {down: number[]}} Shuffle with the cells that were
 *   face down beforehand
 */

/**
 * @param {unknown} a
 * @param {unknown} b
 */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Deals the cards again: each face that was shown must be the one dealt there, each shuffle the one drawn.
 * @type {import("../game.js").DealCheckMaker}
 */
export function dealCheck(started, dealing) {
  const { board, theme, v } = /** @type {import("./fold.js").Started} */ (started);
  /**
   * In order.
   * @type {(EventShowCard | Shuffle)[]}
   */
  const moves = [];
  return {
    step: "deck",
    see(event, view) {
      if (event.type === "show-card") moves.push(event);
      if (event.type !== "cards-shuffled") return;
      const { cells } = /** @type {import("./fold.js").View} */ (view);
      const down = cells.flatMap((card, cell) => (card.state === "down" ? [cell] : []));
      moves.push({ ...event, down });
    },
    compare(words) {
      // The order of faces decides the deck. It was fixed before anyone knew the words.
      if (dealing && !same(dealing.theme?.faces, theme.faces)) return { holds: false, version: v };
      const { deck, drawn } = deal({ board, theme }, words);
      const faces = new Set(theme.faces).size;
      if (drawn !== undefined && pairsFor(drawn, faces) !== board.pairs) return { holds: false, version: v };
      let shown = 0;
      for (const event of moves) {
        if (event.type === "cards-shuffled") {
          const drawn = reshuffled(event.down, words);
          if (!same(drawn, event.moves)) return { holds: false, version: event.v };
          const before = [...deck];
          for (const [from, to] of drawn) deck[to] = before[from];
        } else {
          const { cell, face } = event, expected = deck[cell];
          if (face !== expected) return { holds: false, version: event.v, values: { card: cell + 1, face, expected } };
          shown += 1;
        }
      }
      return { holds: true, values: { count: shown } };
    },
  };
}
