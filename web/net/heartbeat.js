// @ts-check

/** A timer that comes so late, in ms, says that the page slept: what waits to be heard is heard first. */
const LATE = 1_000;

/**
 * What a heartbeat is of.
 * @typedef {Object} Line
 * @property {number} every how often it is asked whether it holds, in ms
 * @property {number} silence after so many ms without an answer it is dead
 * @property {() => void} ask
 * @property {() => void} dead
 * @property {Doubt} [doubt] for who wants to know sooner
 *
 * @typedef {Object} Doubt
 * @property {() => number} after so many ms without an answer the line is in doubt
 * @property {() => boolean} isOwed whether something else that was asked still has no answer
 * @property {() => void} began
 * @property {() => void} ended
 */

/**
 * Asks over a line, again and again, whether it still holds. A line is judged by how long a question has been open and
 * not by the timer, which browsers let come late in a page in the background.
 */
export class Heartbeat {
  #world; #line;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  /**
   * Since when a question has not been answered, by anything; null: it has.
   * @type {number | null}
   */
  #askedAt = null;
  #askNextAt = 0; #heardAt = 0; #isInDoubt = false;

  /**
   * @param {import("./surroundings.js").Surroundings} world
   * @param {Line} line
   */
  constructor(world, line) {
    this.#world = world;
    this.#line = line;
  }

  get isInDoubt() { return this.#isInDoubt; }

  /** Of a new line: nothing has been asked there yet. */
  start() {
    this.stop();
    this.heard();
    this.#askNextAt = this.#heardAt + this.#line.every;
    this.#wait(this.#line.every);
  }

  stop() {
    this.#world.cancel(this.#timer);
    this.#isInDoubt = false;
  }

  /** Something has come over the line. */
  heard() {
    this.#askedAt = null;
    this.#heardAt = this.#world.now();
    if (!this.#isInDoubt) return;
    this.#isInDoubt = false;
    this.#line.doubt?.ended();
  }

  /** Something else has been said over the line, and is to be answered. */
  asked() {
    if (this.#askedAt !== null) return;
    this.#askedAt = this.#world.now();
    this.#wait(this.#doubtAfter / 2);
  }

  ask() {
    this.#askNextAt = this.#world.now() + this.#line.every;
    this.asked();
    this.#line.ask();
  }

  /** The page was asleep: what came long before proves nothing, nor does the silence since. */
  hurry() {
    this.#askedAt = null;
    this.ask();
  }

  get #doubtAfter() { return Math.min(this.#line.doubt?.after() ?? Infinity, this.#line.silence); }

  #wait(/** @type {number} */ ms, wasLate = false) {
    this.#world.cancel(this.#timer);
    const due = this.#world.now() + ms;
    this.#timer = this.#world.later(() => {
      const isLate = this.#world.now() - due > LATE;
      if (isLate && !wasLate) this.#wait(0, true);
      else this.#judge();
    }, ms);
  }

  #judge() {
    const now = this.#world.now(), { silence, doubt, ask, dead } = this.#line, limit = this.#doubtAfter;
    if (this.#askedAt === null && doubt?.isOwed()) this.#askedAt = this.#heardAt;
    if (this.#askedAt === null) return now < this.#askNextAt ? this.#wait(this.#askNextAt - now) : this.ask();
    const silent = now - this.#askedAt;
    if (silent >= silence) return dead();
    if (silent < limit / 2) return this.#wait(limit / 2 - silent);
    if (silent < limit) {
      // It may be the answer that takes its time and not the line.
      ask();
      return this.#wait(limit - silent);
    }
    this.#wait(silence - silent);
    if (this.#isInDoubt) return;
    this.#isInDoubt = true;
    doubt?.began();
  }
}
