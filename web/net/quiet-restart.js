// @ts-check
/** Most lines that were closed for a restart are back sooner than this, in ms: nobody has to know. */
const QUIET = 2_000;

/** The time in which nothing is said of a line that was closed since another node serves its room from then on. */
export class QuietRestart {
  #world; #over;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  isOn = false;

  /**
   * @param {import("./surroundings.js").Surroundings} world
   * @param {() => void} over called where it has not ended in time
   */
  constructor(world, over) {
    this.#world = world;
    this.#over = over;
  }

  begin() {
    this.end();
    this.isOn = true;
    this.#timer = this.#world.later(() => {
      this.isOn = false;
      this.#over();
    }, QUIET);
  }

  end() {
    this.isOn = false;
    this.#world.cancel(this.#timer);
  }
}
