// @ts-check

/** How much of a room's log a client knows: the version of the last event delivered, and the hash there. */
export class LogPosition {
  /** The version and head of a `resume` whose events have not all come yet. */
  #ahead = /** @type {{version: number, head: string} | null} */ (null);
  #head = /** @type {string | null} */ (null);

  /** @param {number} version of the last known event; 0: none */
  constructor(version) { this.version = version; }

  /** Its fields in `hello`; empty if nothing is known. */
  get fields() {
    if (this.version === 0) return {};
    return this.#head ? { after: this.version, head: this.#head } : { after: this.version };
  }

  /**
   * A `welcome` includes everything up to its version; the events of a `resume` come after it.
   * @param {import("./messages.js").HubWelcome | import("./messages.js").HubResume} greeting
   */
  greeted({ type, version, head }) {
    this.#ahead = { version, head };
    if (type === "welcome") this.version = version;
    this.#reach();
  }

  /** The next event has been delivered. */
  advance() {
    this.version++;
    this.#head = null;
    this.#reach();
  }

  #reach() { if (this.#ahead?.version === this.version) this.#head = this.#ahead.head; }
}
