// @ts-check
import { about, text } from "../../texts/texts.js";
import { RANKS } from "./fold.js";
import { nameOfRank, question } from "./game.js";

/**
 * What the board says.
 * @typedef {import("./fold.js").View} View
 * @typedef {(seat: number) => {name: string, isYou: boolean}} Who
 */

/**
 * The newest question and its answer.
 * @param {View} view
 * @param {Who} who
 */
export function sayLast({ last }, who) {
  if (!last) return "";
  return [question(last, who), ...(last.lucky ? [about("go-fish.lucky", who(last.seat))] : [])].join(" ");
}

/**
 * The label of another player.
 * @param {View} view
 * @param {number} other
 * @param {string} name
 * @param {number} [rank] the chosen one, if this player may be asked for it
 */
export function playerLabel(view, other, name, rank) {
  const ranks = view.books.filter(({ seat }) => seat === other).map((book) => nameOfRank(book.rank));
  return [
    rank === undefined ? name : text("go-fish.ask", { name, ranks: nameOfRank(RANKS[rank]) }),
    text("go-fish.cards", { count: view.cards[other] }),
    ...(ranks.length > 0 ? [text("go-fish.laid", { list: ranks.join(", ") })] : []),
  ].join(", ");
}

/**
 * The label of a rank in the own hand.
 * @param {string[]} cards
 * @param {number} rank
 * @param {string | null} asked the player whom a press asks
 */
export function rankLabel(cards, rank, asked) {
  const ranks = nameOfRank(RANKS[rank]), held = text("go-fish.hold", { ranks, list: cards.join(" ") });
  return asked === null ? held : `${text("go-fish.ask", { name: asked, ranks })}, ${held}`;
}

/**
 * What the viewer is to do.
 * @param {boolean} mayMove
 * @param {number} [chosen]
 */
export function promptFor(mayMove, chosen) {
  if (!mayMove) return "";
  return chosen === undefined ? text("go-fish.pick-rank")
    : text("go-fish.pick-player", { ranks: nameOfRank(RANKS[chosen]) });
}
