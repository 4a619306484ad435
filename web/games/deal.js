// @ts-check
import { sha256 } from "../sha256.js";

/** How a deck follows from seeds that are known (Protocol.md, "The deck"). */

const DOMAIN = new TextEncoder().encode("flipside/deck/1");

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * The seed that one game is dealt from, in hexadecimal.
 * @param {string} serverSeed
 * @param {{seat: number, nonce: string}[]} nonces those that were opened
 */
export function gameSeed(serverSeed, nonces) {
  const inOrder = [...nonces].sort((a, b) => a.seat - b.seat);
  const parts = inOrder.flatMap(({ seat, nonce }) => [Uint8Array.of(seat), bytesOf(nonce)]);
  return sha256(joined(DOMAIN, bytesOf(serverSeed), ...parts));
}

/** The stream of words of one game, and what is drawn by it. */
export class Words {
  #seed; #block = 0;
  /** @type {number[]} */
  #words = [];

  /** @param {string} seed a game's */
  constructor(seed) { this.#seed = bytesOf(seed); }

  /** 32 bits. */
  next() {
    if (this.#words.length === 0) {
      const counter = new Uint8Array(4);
      new DataView(counter.buffer).setUint32(0, this.#block++);
      const digest = sha256(joined(this.#seed, counter));
      this.#words = (digest.match(/.{8}/g) ?? []).map((word) => parseInt(word, 16));
    }
    return /** @type {number} */ (this.#words.shift());
  }

  /** A number from 0 up to and without `bound`, each as likely as any other. @param {number} bound */
  below(bound) {
    const limit = Math.floor(2 ** 32 / bound) * bound;
    for (;;) {
      const word = this.next();
      if (word < limit) return word % bound;
    }
  }

  /**
   * A copy of `list` in the order that the next words say.
   * @template Item
   * @param {Item[]} list
   */
  shuffled(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
}

/**
 * The face on each cell, null on the gap, and how many pairs were drawn where the theme leaves that to the draw.
 * @param {{theme: {faces: string[]}, board: {pairs: number, gap?: number, drawn?: [number, number]}}} start
 * @param {Words} words
 */
export function deal({ theme, board }, words) {
  const [least, most] = board.drawn ?? [0, 0];
  const drawn = board.drawn ? least + words.below(most - least + 1) : undefined;
  const faces = words.shuffled([...new Set(theme.faces)]).slice(0, board.pairs);
  /** @type {(string | null)[]} */
  const deck = words.shuffled(faces.flatMap((face) => [face, face]));
  if (board.gap !== undefined) deck.splice(board.gap, 0, null);
  return { deck, drawn };
}

/**
 * Where the cards on `cells`, those that lie face down in ascending order, go: those that stay left out.
 * @param {number[]} cells
 * @param {Words} words
 */
export function reshuffled(cells, words) {
  const moves = words.shuffled(cells).map((from, index) => [from, cells[index]]);
  return moves.filter(([from, to]) => from !== to).sort((a, b) => a[0] - b[0]);
}

/** Whether a board can have so many pairs: an odd number of cells leaves its middle free. @param {number} pairs */
const fits = (pairs) => [2, 3, 4, 5, 6, 7, 8].some((columns) =>
  [...Array(10).keys()].some((row) => Math.floor((columns * (row + 3)) / 2) === pairs));

/**
 * The pairs that a board gets where `drawn` were drawn, of so many faces.
 * @param {number} drawn
 * @param {number} faces
 */
export function pairsFor(drawn, faces) {
  let pairs = Math.min(drawn, faces);
  while (pairs > 3 && !fits(pairs)) pairs -= 1;
  return pairs;
}
