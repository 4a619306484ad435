// @ts-check

/**
 * Asks over a line, again and again, whether it still holds. A line is judged by how long a question has been open and
 * not by the timer, which browsers let come late in a page in the background.
 */
export class Heartbeat {
  #world; #every; #silence; #ask; #dead;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  /**
   * Since when a question has not been answered, by anything; null: it has.
   * @type {number | null}
   */
  #askedSince = null;

  /**
   * @param {import("./surroundings.js").Surroundings} world
   * @param {{every: number, silence: number, ask: () => void, dead: () => void}} line how often to `ask`, in ms, and
   *   after how much silence since then it is `dead`
   */
  constructor(world, { every, silence, ask, dead }) {
    this.#world = world;
    this.#every = every;
    this.#silence = silence;
    this.#ask = ask;
    this.#dead = dead;
  }

  /** Of a new line: nothing has been asked there yet. */
  start() {
    this.heard();
    this.#wait();
  }

  stop() { this.#world.cancel(this.#timer); }

  /** Something has come over the line. */
  heard() { this.#askedSince = null; }

  ask() {
    this.#askedSince ??= this.#world.now();
    this.#ask();
  }

  /** The page was asleep: what came long ago proves nothing, and the answer is not waited for as long. */
  hurry() {
    this.ask();
    this.#askedSince = this.#world.now() - this.#silence + 2 * this.#every;
    this.#wait();
  }

  #wait() {
    this.stop();
    this.#timer = this.#world.later(() => {
      const isSilent = this.#askedSince !== null && this.#world.now() - this.#askedSince > this.#silence - this.#every;
      if (isSilent) return this.#dead();
      this.ask();
      this.#wait();
    }, this.#every);
  }
}
