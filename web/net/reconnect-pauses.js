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

  /** Doubled with each attempt since the line was there. */
  get attempt() { return this.#attempt; }

  /** It is worth another attempt at once. */
  reset() { this.#attempt = 0; }

  /** The line is there. @param {number} [spread] over how many ms the hub wants its clients to come back */
  greeted(spread = 0) {
    this.reset();
    this.#spread = spread;
  }

  /** The longest first one. */
  get longest() { return Math.max(FIRST, this.#spread); }

  /** Whether many come back when this line does. */
  get isOneOfMany() { return this.#spread > 0; }

  /** The pause before the next attempt. */
  next() {
    const isFirst = this.#attempt === 0;
    const pause = Math.min(LONGEST, FIRST * 2 ** this.#attempt++) * (0.5 + this.#random() / 2);
    return isFirst ? Math.max(pause, this.#spread * this.#random()) : pause;
  }
}
