// @ts-check

/**
 * Between two questions, in ms: doubled each time, with chance in it so that not all pages come back at once. In the
 * background browsers hold the timers of a page back, and it asks far less.
 */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 800;
/** Most questions under way: browsers have six connections to a hub, and a network that swallows packets keeps them. */
const QUESTION_LIMIT = 3;
/** One of them is left so long, in ms, for a network that is slow. */
const LONGEST_QUESTION = 10_000;

/**
 * Looks for the hub by short requests, one after another. A WebSocket would not do: browsers hold back, for up to a
 * minute, those to where some have failed.
 */
export class HubSearch {
  #world; #url; #found;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  #attempt = 0; #isOn = false;
  /** @type {{since: number, giveUp: () => void}[]} */
  #questions = [];

  /**
   * @param {import("./surroundings.js").Surroundings} world
   * @param {string} url of the hub's WebSocket
   * @param {() => void} found called once; the search is over then
   */
  constructor(world, url, found) {
    this.#world = world;
    this.#url = new URL("/healthz", url.replace(/^ws/, "http")).href;
    this.#found = found;
  }

  begin() {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#attempt = 0;
    this.#ask();
  }

  end() {
    this.#isOn = false;
    this.#world.cancel(this.#timer);
    for (const { giveUp } of this.#questions.splice(0)) giveUp();
  }

  #ask() {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempt++) * (0.5 + this.#world.random() / 2);
    this.#timer = this.#world.later(() => this.#ask(), pause);
    const since = this.#world.now();
    if (this.#questions.length >= QUESTION_LIMIT) {
      const isOldestDone = since - this.#questions[0].since >= LONGEST_QUESTION;
      for (const { giveUp } of this.#questions.splice(isOldestDone ? 0 : 1, 1)) giveUp();
    }
    const question = { since, giveUp: () => {} };
    this.#questions.push(question);
    question.giveUp = this.#world.reach(this.#url, () => {
      if (!this.#questions.includes(question)) return;
      this.end();
      this.#found();
    });
  }
}
