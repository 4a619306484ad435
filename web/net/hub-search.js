// @ts-check

/**
 * Between two questions, in ms: doubled each time, with jitter so that not all pages return at once. Browsers slow down
 * timers in background pages, so these ask far less often.
 */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 800;
/** Most open questions: browsers allow six connections to a hub, and a network that drops packets holds on to them. */
const QUESTION_LIMIT = 3;
/** How long one may stay open, in ms: the network may be slow. */
const LONGEST_QUESTION = 10_000;

/**
 * Looks for the hub by short requests, one after another. WebSockets would not do: after failures browsers delay new
 * ones to the same host for up to a minute.
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
   * @param {() => void} found called once; the search is then over
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
