// @ts-check

/** Up to where a client knows a room's log: the version of the last event that it has passed on, and the hash there. */
export class LogPosition {
  /** What a `resume` says of a version that is still to come. */
  #ahead = /** @type {{version: number, head: string} | null} */ (null);
  #head = /** @type {string | null} */ (null);

  /** @param {number} version of the last event that is known; 0: none */
  constructor(version) { this.version = version; }

  /** What `hello` says of it: nothing where nothing is known. */
  get fields() {
    if (this.version === 0) return {};
    return this.#head ? { after: this.version, head: this.#head } : { after: this.version };
  }

  /**
   * A `welcome` stands for all up to its version; of a `resume` the events come after it.
   * @param {import("./messages.js").HubWelcome | import("./messages.js").HubResume} greeting
   */
  greeted({ type, version, head }) {
    this.#ahead = { version, head };
    if (type === "welcome") this.version = version;
    this.#reach();
  }

  /** The next event is passed on. */
  advance() {
    this.version++;
    this.#head = null;
    this.#reach();
  }

  #reach() { if (this.#ahead?.version === this.version) this.#head = this.#ahead.head; }
}
