// @ts-check

/** How many samples of the hub's clock the best offset is chosen from. */
const SAMPLE_LIMIT = 8;
/** Two samples that differ by this much more than their round trips explain, in ms, are of different clocks. */
const SLACK = 100;

/**
 * A sample of the hub's clock: it was at least `least` ahead of this device's, and at most `trip` more.
 * @typedef {{least: number, trip: number}} Sample
 */

/** The hub's clock, estimated from round trips to it. */
export class HubClock {
  /** @type {Sample[]} */
  #samples = [];
  #now;

  /**
   * The latest round trip of the current line, in ms; null before its first.
   * @type {number | null}
   */
  trip = null;

  /** @param {() => number} now as in `Surroundings` */
  constructor(now) { this.#now = now; }

  /** Ms since 1970: deadlines refer to it. */
  get time() {
    if (this.#samples.length === 0) return this.#now();
    // The shortest round trip gives the best time: the hub's answer is half of it old.
    const { least, trip } = this.#samples.reduce((best, sample) => (sample.trip <= best.trip ? sample : best));
    return this.#now() + least + (trip < Infinity ? trip / 2 : 0);
  }

  /** The hub's greeting says `time`: better than nothing. */
  greeted(/** @type {number} */ time) { this.#add({ least: time - this.#now(), trip: Infinity }); }

  /** The hub answered `time` to a question asked `trip` ms ago. */
  answered(/** @type {number} */ trip, /** @type {number} */ time) {
    this.trip = trip;
    this.#add({ least: time - this.#now(), trip });
  }

  #add(/** @type {Sample} */ newest) {
    // Some devices stop their steady clock during sleep, and the hub's clock may be set: then the newest is right.
    const isOfSameClock = (/** @type {Sample} */ { least, trip }) =>
      least <= newest.least + newest.trip + SLACK && newest.least <= least + trip + SLACK;
    this.#samples = [...this.#samples.filter(isOfSameClock).slice(1 - SAMPLE_LIMIT), newest];
  }
}
