// @ts-check
import { gameSeed, Words } from "../cryptography/random-words.js";
import { bytesOf, sha256 } from "../cryptography/sha256.js";
import { fold, open } from "./room.js";
import { sealedIn } from "./seals.js";

/**
 * @typedef {import("./check.js").Finding} Finding
 * @typedef {import("./room.js").RoomState} RoomState
 * @typedef {import("./room.js").RecordedEvent} RecordedEvent
 * @typedef {import("../net/messages.js").EventDealing} EventDealing
 * @typedef {import("../net/messages.js").EventGameStarted} EventGameStarted
 * @typedef {import("../net/messages.js").EventGameEnded} EventGameEnded
 * @typedef {import("../net/messages.js").Seated} Seated
 * @typedef {{v: number, reveal?: import("../net/messages.js").Reveal}} Opening an event that opens a seed
 * @typedef {Pick<import("./room.js").Room, "seats"> & {dealing?: EventDealing}} Fixed the room at the moment when seats
 *   and commitments were fixed
 */

const hashOf = (/** @type {string} */ hex) => sha256(bytesOf(hex));
const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) => JSON.stringify(a) === JSON.stringify(b);

/** The hash of what a game keeps secret of this event until its end. */
export const sealOf = (/** @type {object | null | undefined} */ event) =>
  /** @type {{seal?: unknown} | undefined} */ (event)?.seal;

/**
 * What can be checked of each game in a readable log: who committed to which nonce, and how it was dealt.
 * @param {string} code
 * @param {RecordedEvent[]} events all of a room's
 * @param {import("./game.js").DealCheckMaker} [dealCheck] deals the room's game again; without it nothing is random
 * @returns {Finding[]}
 */
export function checkGames(code, events, dealCheck) {
  /** @type {Finding[]} */
  const findings = [];
  const [opened] = /** @type {import("../net/messages.js").EventRoomOpened[]} */ (events);
  let { commitment } = opened, game = /** @type {Game | null} */ (null);
  let state = /** @type {RoomState | null} */ (null), fixed = /** @type {Fixed | null} */ (null);
  for (const event of events) {
    const before = state;
    // Altered bytes can say anything, even what no fold can follow.
    try {
      if (isTooEarly(event, before?.view)) return [...findings, { step: "fold", result: "fails", version: event.v }];
      state = before ? fold(before, event) : open(code, opened);
      const room = /** @type {import("./room.js").Room} */ (before?.room);
      if (event.type === "dealing") fixed = { ...room, dealing: event };
      if (event.type === "game-started") {
        const dealing = /** @type {EventDealing | null} */ (fixed && room.dealing);
        game = new Game(event, commitment, fixed ?? { seats: room.seats }, dealing, dealCheck?.(event, dealing));
        fixed = null;
      }
      game?.see(event, before?.view);
      if (event.type === "game-ended") {
        if (game) findings.push(...game.end(event));
        // A game that could not be dealt was never played.
        else if (event.reveal) findings.push(unused(event, commitment));
        game = null;
        fixed = null;
        commitment = event.commitment;
      }
      if (event.type === "room-closed" && event.reveal) findings.push(unused(event, commitment));
    } catch {
      return [...findings, { step: "fold", result: "fails", version: event.v }];
    }
  }
  if (game) findings.push(...game.unfinished());
  return findings;
}

/**
 * A turn that ran out before its time. The hub may be late, which favours no one.
 * @param {RecordedEvent} event
 * @param {RoomState["view"]} [view] before it
 */
const isTooEarly = (event, view) => event.type === "turn-expired" && event.t < (view?.deadline ?? 0);

/**
 * The hub revealed a seed that dealt no game, because the room closed or the game could not begin.
 * @returns {Finding}
 */
function unused(/** @type {Opening} */ { v, reveal }, /** @type {string | undefined} */ commitment) {
  const holds = hashOf(reveal?.seed ?? "") === commitment;
  return holds ? { step: "unused", result: "holds" } : { step: "unused", result: "fails", version: v };
}

/** One game as read from the log; says what holds at its end, when the seed is known. */
class Game {
  #start; #commitment; #room; #dealing; #deal;
  /** The sealed events. */
  #seals = /** @type {{v: number, seal: unknown}[]} */ ([]);

  /**
   * @param {EventGameStarted} start
   * @param {string | undefined} commitment to the seed, shown beforehand
   * @param {Fixed} room
   * @param {EventDealing | null} dealing what was frozen before the nonces were opened, with the opened nonces; null if
   *   nothing was
   * @param {import("./game.js").DealCheck | undefined} deal
   */
  constructor(start, commitment, room, dealing, deal) {
    this.#start = start;
    this.#commitment = commitment;
    this.#room = room;
    this.#dealing = dealing;
    this.#deal = deal;
  }

  /**
   * @param {RecordedEvent} event
   * @param {RoomState["view"]} [view] before it
   */
  see(event, view) {
    const seal = sealOf(event);
    if (seal !== undefined) this.#seals.push({ v: event.v, seal });
    this.#deal?.see(event, view);
  }

  unfinished() {
    const seals = this.#seals.length > 0 ? [this.#finding("seals", "open")] : [];
    return [this.#commitment ? this.#finding("commitment", "open") : this.#undealt(), ...seals];
  }

  /** Without a commitment, which is right for a game without random draws. */
  #undealt() {
    return this.#deal ? this.#finding("commitment", "fails", {}, this.#start.v) : this.#finding("undealt", "holds");
  }

  /**
   * @param {EventGameEnded} end
   * @returns {Finding[]}
   */
  end(end) {
    const seals = this.#checkSeals(end.reveal?.seals);
    if (!this.#commitment) return [this.#undealt(), ...seals];
    const seed = end.reveal?.seed;
    if (typeof seed !== "string") return [this.#finding("commitment", "fails", {}, end.v), ...seals];
    const commitment = hashOf(seed) === this.#commitment
      ? this.#finding("commitment", "holds", { hash: this.#commitment })
      : this.#finding("commitment", "fails", { hash: this.#commitment }, end.v);
    // What the deal is compared with must be what was sealed.
    const isSealed = seals.every(({ result }) => result === "holds");
    const deal = isSealed ? this.#checkDeal(seed, end.reveal?.seals ?? []) : [];
    return [commitment, this.#checkNonces(end), ...seals, ...deal];
  }

  /**
   * The hub opens each seal, with what the event had fixed.
   * @param {import("./seals.js").Seals} [revealed]
   * @returns {Finding[]}
   */
  #checkSeals(revealed = []) {
    if (this.#seals.length === 0) return [];
    const opened = new Map(revealed.map(({ v, sealed }) => [v, sealed]));
    const wrong = this.#seals.find(({ v, seal }) => hashOf(opened.get(v) ?? "") !== seal);
    return [wrong ? this.#finding("seals", "fails", {}, wrong.v)
      : this.#finding("seals", "holds", { count: this.#seals.length })];
  }

  /** @returns {{seat: number, nonce: string}[]} */
  #opened() {
    return this.#start.seats.flatMap(({ seat, nonce }) => (nonce ? [{ seat, nonce }] : []));
  }

  /**
   * Each commitment was made beforehand, each nonce fits its commitment, and the end reveals the same nonces.
   * @returns {Finding}
   */
  #checkNonces(/** @type {Opening} */ { v, reveal }) {
    const { seats } = this.#start;
    const fixedAt = this.#room.dealing?.v ?? this.#start.v;
    for (const { seat, player, commitment, nonce } of seats) {
      const isTheirs = (/** @type {{seat: number, player?: string}} */ one) =>
        one.seat === seat && one.player === player;
      const promised = this.#room.seats.find(isTheirs)?.commitment;
      if (commitment !== promised) return this.#finding("nonces", "fails", { seat: seat + 1, player }, fixedAt);
      if (nonce && hashOf(nonce) !== commitment) {
        return this.#finding("nonces", "fails", { seat: seat + 1, player }, this.#start.v);
      }
    }
    const other = this.#otherThanDealt();
    if (other) return this.#finding("nonces", "fails", { seat: other.seat + 1, player: other.player }, this.#start.v);
    const opened = this.#opened();
    const told = [...(reveal?.nonces ?? [])].sort((a, b) => a.seat - b.seat)
      .map(({ seat, nonce }) => ({ seat, nonce }));
    const wrong = opened.sort((a, b) => a.seat - b.seat).find((one, index) => !same(one, told[index]));
    if (wrong || told.length !== opened.length) {
      const { seat } = wrong ?? told.find(({ seat }) => !opened.some((one) => one.seat === seat)) ?? told[0];
      const player = seats.find((one) => one.seat === seat)?.player;
      return this.#finding("nonces", "fails", { seat: seat + 1, player }, v);
    }
    const missing = seats.filter(({ commitment, nonce }) => commitment && !nonce).length;
    if (missing > 0) return this.#finding("nonces", "missing", { count: missing });
    return this.#finding("nonces", "holds", { count: opened.length });
  }

  /** A seat that starts the game in another state than it was frozen and opened in. */
  #otherThanDealt() {
    const { seats } = this.#start, frozen = this.#dealing?.seats ?? seats;
    const key = (/** @type {Seated} */ { seat, player, commitment, nonce }) =>
      JSON.stringify([seat, player, commitment, nonce]);
    const [begun, dealt] = [seats, frozen].map((list) => new Set(list.map(key)));
    return frozen.find((one) => !begun.has(key(one))) ?? seats.find((one) => !dealt.has(key(one)));
  }

  /**
   * @param {string} seed
   * @param {import("./seals.js").Seals} revealed
   * @returns {Finding[]}
   */
  #checkDeal(seed, revealed) {
    if (!this.#deal) return [];
    const words = new Words(gameSeed(seed, this.#opened()));
    // What no seal fixed could be opened as anything.
    const seals = revealed.filter((one) => this.#seals.some(({ v }) => v === one.v));
    const { holds, values, version } = this.#deal.compare(words, sealedIn(seals));
    return [this.#finding(this.#deal.step, holds ? "holds" : "fails", values, version)];
  }

  /**
   * @param {string} step
   * @param {Finding["result"]} result
   * @param {import("./game.js").Values} values
   * @param {number} [version]
   * @returns {Finding}
   */
  #finding(step, result, values = {}, version = undefined) {
    const finding = { step, result, game: this.#start.number, values };
    return version === undefined ? finding : { ...finding, version };
  }
}
