// @ts-check

/** Most round trips that the clock's offset is the best of. */
const SAMPLE_LIMIT = 8;
const NO_SAMPLE = { trip: Infinity, offset: 0 };

/** The hub's clock, by round trips to it. */
export class HubClock {
  /** @type {{trip: number, offset: number}[]} */
  #samples = [];
  #now;

  /**
   * The newest round trip of the line that holds, in ms; null before its first.
   * @type {number | null}
   */
  trip = null;

  /** @param {() => number} now ms since 1970, by this device */
  constructor(now) { this.#now = now; }

  /** Ms since 1970: deadlines are by it. */
  get time() {
    // The shortest round trip tells the time best: half of it is how old the hub's word is.
    const best = this.#samples.reduce((best, sample) => (sample.trip <= best.trip ? sample : best), NO_SAMPLE);
    return this.#now() + best.offset;
  }

  /** The hub greets at `time`: better than nothing. */
  greeted(/** @type {number} */ time) {
    if (this.#samples.length === 0) this.#add(Infinity, time - this.#now());
  }

  /** The hub has answered at `time` what was asked `trip` ms ago. */
  answered(/** @type {number} */ trip, /** @type {number} */ time) {
    this.trip = trip;
    this.#add(trip, time + trip / 2 - this.#now());
  }

  #add(/** @type {number} */ trip, /** @type {number} */ offset) {
    this.#samples = [...this.#samples.slice(1 - SAMPLE_LIMIT), { trip, offset }];
  }
}
