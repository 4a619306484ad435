// @ts-check

/** Most words of the hub's that the clock's offset is the best of. */
const SAMPLE_LIMIT = 8;
/** Two that are farther apart than both round trips explain, by more than this, in ms, are of different clocks. */
const SLACK = 100;

/**
 * What the hub said of its clock: it was at least `least` ahead of this device's, and at most by `trip` more.
 * @typedef {{least: number, trip: number}} Sample
 */

/** The hub's clock, by round trips to it. */
export class HubClock {
  /** @type {Sample[]} */
  #samples = [];
  #now;

  /**
   * The newest round trip of the line that holds, in ms; null before its first.
   * @type {number | null}
   */
  trip = null;

  /** @param {() => number} now as in `Surroundings` */
  constructor(now) { this.#now = now; }

  /** Ms since 1970: deadlines are by it. */
  get time() {
    if (this.#samples.length === 0) return this.#now();
    // The shortest round trip tells the time best: half of it is how old the hub's word is.
    const { least, trip } = this.#samples.reduce((best, sample) => (sample.trip <= best.trip ? sample : best));
    return this.#now() + least + (trip < Infinity ? trip / 2 : 0);
  }

  /** The hub greets at `time`: better than nothing. */
  greeted(/** @type {number} */ time) { this.#add({ least: time - this.#now(), trip: Infinity }); }

  /** The hub has answered at `time` what was asked `trip` ms ago. */
  answered(/** @type {number} */ trip, /** @type {number} */ time) {
    this.trip = trip;
    this.#add({ least: time - this.#now(), trip });
  }

  #add(/** @type {Sample} */ newest) {
    // Some devices stop their steady clock while they sleep, and the hub's clock may be set: then the newest is right.
    const isOfSameClock = (/** @type {Sample} */ { least, trip }) =>
      least <= newest.least + newest.trip + SLACK && newest.least <= least + trip + SLACK;
    this.#samples = [...this.#samples.filter(isOfSameClock).slice(1 - SAMPLE_LIMIT), newest];
  }
}
