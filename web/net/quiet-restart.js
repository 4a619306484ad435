// @ts-check
/** Most lines closed for a restart are back within this time, in ms, and the player need not know. */
const QUIET = 2_000;

/** The time during which the page does not mention a line that closed because another node now serves its room. */
export class QuietRestart {
  #world; #over;
  #timer = /** @type {import("./surroundings.js").Timer} */ (undefined);
  isOn = false;

  /**
   * @param {import("./surroundings.js").Surroundings} world
   * @param {() => void} over called if the line is not back in time
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
