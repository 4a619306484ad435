// @ts-check
import { bytesOf, joined, sha256 } from "./sha256.js";

/** What a game is dealt from, derived from known seeds (ProtocolFairness.md, "The deck"). */

const DOMAIN = new TextEncoder().encode("flipside/deck/1");

/**
 * The seed of one game, in hexadecimal.
 * @param {string} serverSeed
 * @param {{seat: number, nonce: string}[]} nonces the opened ones
 */
export function gameSeed(serverSeed, nonces) {
  const inOrder = [...nonces].sort((a, b) => a.seat - b.seat);
  const parts = inOrder.flatMap(({ seat, nonce }) => [Uint8Array.of(seat), bytesOf(nonce)]);
  return sha256(joined(DOMAIN, bytesOf(serverSeed), ...parts));
}

/** The stream of words of one game, and draws from it. */
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

  /**
   * A number from 0 up to but not including `bound`, all equally likely.
   * @param {number} bound
   */
  below(bound) {
    const limit = Math.floor(2 ** 32 / bound) * bound;
    for (;;) {
      const word = this.next();
      if (word < limit) return word % bound;
    }
  }

  /**
   * A copy of `list`, shuffled by the next words.
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
