// @ts-check
import { gameSeed, Words } from "../cryptography/random-words.js";
import { sealedIn } from "./seals.js";

/**
 * @typedef {import("./game.js").Hand} Hand
 * @typedef {import("./room.js").RecordedEvent} RecordedEvent
 * @typedef {import("../net/messages.js").EventGameStarted} EventGameStarted
 */

/** The hands of all seats in a room's finished games, which the secrets revealed at their ends give again. */
export class ReplayHands {
  #events; #handsOf;
  /** Those of each game, by the version of its `game-started`: after that event, and after each of the game's own. */
  #known = /** @type {Map<number, Record<number, Hand>[]>} */ (new Map());

  /**
   * @param {RecordedEvent[]} events all of a room's so far; more may be added
   * @param {import("./game.js").HandsOf} handsOf
   */
  constructor(events, handsOf) {
    this.#events = events;
    this.#handsOf = handsOf;
  }

  /**
   * The hands after the event of `version`; none if its game has not ended, or cannot be dealt from what was revealed.
   * @param {number} version
   * @returns {Record<number, Hand>}
   */
  at(version) {
    const begun = this.#events.slice(0, version).map(({ type }) => type).lastIndexOf("game-started");
    const ended = this.#events.findIndex(({ type }, index) => index > begun && type === "game-ended");
    if (begun < 0 || ended < 0) return {};
    const hands = this.#known.get(begun) ?? this.#deal(begun, ended);
    this.#known.set(begun, hands);
    return hands[Math.min(version - 1 - begun, hands.length - 1)] ?? {};
  }

  /**
   * @param {number} begun
   * @param {number} ended the indices of `game-started` and `game-ended`
   */
  #deal(begun, ended) {
    const started = /** @type {EventGameStarted} */ (this.#events[begun]);
    const { reveal } = /** @type {import("../net/messages.js").EventGameEnded} */ (this.#events[ended]);
    if (!reveal) return [];
    const nonces = started.seats.flatMap(({ seat, nonce }) => (nonce ? [{ seat, nonce }] : []));
    // Without a seed nothing was dealt, and no words are asked for.
    const words = new Words(gameSeed(reveal.seed ?? "", nonces)), events = this.#events.slice(begun + 1, ended);
    // A log can say anything, even what no deal can follow. The check says where.
    try { return this.#handsOf(started, events, words, sealedIn(reveal.seals)); } catch { return []; }
  }
}
