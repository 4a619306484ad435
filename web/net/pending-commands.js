// @ts-check

/** Most commands that may wait for an answer. More are refused here: a person never has so many. */
const PENDING_LIMIT = 32;

/**
 * @typedef {import("./messages.js").HubOk | import("./messages.js").HubError} Answer
 */

/** An answer made here, in place of the hub's. */
const refusal = (/** @type {string} */ code, /** @type {string} */ message) =>
  /** @type {import("./messages.js").HubError} */ ({ type: "error", code, message });
const TOO_MANY = refusal("too-many", "Too many commands wait for an answer.");
export const CLOSED = refusal("closed", "The connection was closed.");
/** For a command about a state that the hub no longer knows. */
export const DIVERGED = refusal("diverged", "The hub went back to an earlier state of this room.");

/** The unanswered commands of a connection, oldest first, each under its own id. */
export class PendingCommands {
  #prefix; #count = 0;
  /** @type {Map<string, {message: object, settle: (answer: Answer) => void}>} */
  #waiting = new Map();

  /** @param {() => number} random from 0 up to 1 */
  constructor(random) {
    const digits = () => Math.floor(random() * 65_536).toString(16).padStart(4, "0");
    this.#prefix = Array.from({ length: 4 }, digits).join("");
  }

  get count() { return this.#waiting.size; }

  /** The waiting commands, as sent. */
  get messages() { return [...this.#waiting.values()].map(({ message }) => message); }

  get ids() { return [...this.#waiting.keys()]; }

  /**
   * Adds a command and returns its answer. Calls `send` with the command unless too many wait.
   * @param {string} type
   * @param {object} fields
   * @param {(message: object) => void} send
   * @returns {Promise<Answer>}
   */
  add(type, fields, send) {
    if (this.count >= PENDING_LIMIT) return Promise.resolve(TOO_MANY);
    const id = `${this.#prefix}-${++this.#count}`, message = { type, id, ...fields };
    return new Promise((settle) => {
      this.#waiting.set(id, { message, settle });
      send(message);
    });
  }

  /** The command with this id, as sent; undefined once it is answered. */
  message(/** @type {string} */ id) { return this.#waiting.get(id)?.message; }

  settle(/** @type {string} */ id, /** @type {Answer} */ answer) {
    this.#waiting.get(id)?.settle(answer);
    this.#waiting.delete(id);
  }
}
