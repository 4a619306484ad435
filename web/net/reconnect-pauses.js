// @ts-check
/** Pauses in ms between attempts: doubled each time, with chance in it so that not all come back at once. */
const FIRST = 300, LONGEST = 8_000;

/** How long a line that was lost waits before each attempt to connect again. */
export class ReconnectPauses {
  #random;
  #attempt = 0;
  #spread = 0;

  /** @param {() => number} random from 0 to 1 */
  constructor(random) { this.#random = random; }

  /** How many have failed since the last greeting. */
  get attempt() { return this.#attempt; }

  /** The next pause is a first one again, and a short one: there is a reason to try now. */
  reset() { this.greeted(); }

  /** The line is there. @param {number} [spread] over how many ms the hub wants its clients to come back */
  greeted(spread = 0) {
    this.#attempt = 0;
    this.#spread = spread;
  }

  /** Whether many come back when this line does. */
  get isOneOfMany() { return this.#spread > 0; }

  /** The pause before the next attempt. */
  next() {
    const pause = Math.min(LONGEST, FIRST * 2 ** this.#attempt++) * (0.5 + this.#random() / 2);
    const spread = this.#spread * this.#random();
    this.#spread = 0;
    return Math.max(pause, spread);
  }
}
