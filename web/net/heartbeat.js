// @ts-check

/** A timer this late, in ms, means that the page slept: waiting messages are heard first. */
const LATE = 1_000;

/**
 * The line that a heartbeat watches.
 * @typedef {Object} Line
 * @property {number} every how often to ask whether it still works, in ms
 * @property {number} silence after so many ms without an answer it is dead
 * @property {() => void} ask
 * @property {() => void} dead
 * @property {Doubt} [doubt] to learn of it sooner
 *
 * @typedef {Object} Doubt
 * @property {() => number} after so many ms without an answer the line is in doubt
 * @property {() => boolean} isOwed whether another request still has no answer
 * @property {() => void} began
 * @property {() => void} ended
 */

/**
 * Asks over a line, again and again, whether it still works. It judges the line by how long a question has been open,
 * not by the timer, which browsers delay in background pages.
 */
export class Heartbeat {
  #world; #line;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  /**
   * When the oldest question without any answer was asked; null if there is none.
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

  /** For a new line, on which nothing has been asked yet. */
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

  /** Something has arrived over the line. */
  heard() {
    this.#askedAt = null;
    this.#heardAt = this.#world.now();
    if (!this.#isInDoubt) return;
    this.#isInDoubt = false;
    this.#line.doubt?.ended();
  }

  /** Something else was sent over the line that needs an answer. */
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

  /** The page was asleep: neither earlier messages nor the silence since prove anything. */
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
      // Perhaps only the answer is slow, not the line.
      ask();
      return this.#wait(limit - silent);
    }
    this.#wait(silence - silent);
    if (this.#isInDoubt) return;
    this.#isInDoubt = true;
    doubt?.began();
  }
}
