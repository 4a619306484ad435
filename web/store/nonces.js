// @ts-check
import { bytesOf, sha256 } from "../cryptography/sha256.js";
import { recall, remember } from "./storage.js";

/** @typedef {{awaited: number[], seats: {seat: number, commitment?: string}[]}} Dealing as in the event `dealing` */

/**
 * This browser's part in the draws of one room: a nonce to which it commits by its hash when a seat is taken, and which
 * it opens when the game is dealt. The browser stores it, since the page may be reloaded in between.
 */
export class Nonces {
  #key;

  /** @param {string} code the room's */
  constructor(code) { this.#key = `flipside.nonces.${code}`; }

  /** The commitment for `sit`: the hash of a nonce. */
  commitment() {
    const nonce = this.#kept()[0] ?? draw();
    this.#keep([nonce, ...this.#kept().filter((other) => other !== nonce)]);
    return hashOf(nonce);
  }

  /**
   * The fields for `ready` if the hub waits for `seat`; null if not, or if this browser did not make the commitment.
   * @param {{status: string, dealing?: object}} room
   * @param {number | undefined} seat
   */
  answer(room, seat) {
    const dealing = /** @type {Dealing | undefined} */ (room.dealing);
    if (room.status !== "dealing" || seat === undefined || !dealing?.awaited.includes(seat)) return null;
    const promised = dealing.seats.find((one) => one.seat === seat)?.commitment;
    const nonce = this.#kept().find((one) => hashOf(one) === promised);
    if (!nonce) return null;
    const next = this.#kept().find((one) => one !== nonce) ?? draw();
    this.#keep([nonce, next]);
    return { nonce, commitment: hashOf(next) };
  }

  /** The hub has taken the nonce. The new commitment in the same message is for the next game. */
  opened(/** @type {{nonce: string}} */ { nonce }) {
    const kept = this.#kept();
    if (kept.includes(nonce)) this.#keep(kept.filter((other) => other !== nonce));
  }

  /** The room has no draws. */
  drop() { remember(this.#key, null); }

  /** @returns {string[]} */
  #kept() { return recall(this.#key) ?? []; }

  #keep(/** @type {string[]} */ nonces) { remember(this.#key, nonces); }
}

const hashOf = (/** @type {string} */ nonce) => sha256(bytesOf(nonce));

/** 16 random bytes. */
function draw() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
