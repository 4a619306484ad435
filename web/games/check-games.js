// @ts-check
import { sha256 } from "../sha256.js";
import { bytesOf, deal, gameSeed, pairsFor, reshuffled, Words } from "./deal.js";
import { fold, games, open } from "./room.js";

/** @typedef {import("./check.js").Finding} Finding */

const hashOf = (hex) => sha256(bytesOf(hex));
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What can be checked of each game of a log that reads: who promised which nonce, and how it was dealt.
 * @param {string} code
 * @param {any[]} events all of a room's
 * @returns {Finding[]}
 */
export function checkGames(code, events) {
  /** @type {Finding[]} */
  const findings = [];
  let commitment = events[0].commitment, game = /** @type {Game | null} */ (null);
  let state = /** @type {any} */ (null), fixed = /** @type {any} */ (null);
  for (const event of events) {
    const before = state;
    // Bytes that were changed can say anything, also what no fold can follow.
    try {
      state = before ? fold(before, event) : open(code, event);
      if (event.type === "dealing") fixed = { ...before.room, dealing: event };
      if (event.type === "game-started") {
        game = new Game(event, commitment, fixed ?? before?.room, state.room.game, fixed && before.room.dealing);
        fixed = null;
      }
      game?.see(event, before?.view);
      if (event.type === "game-ended") {
        if (game) findings.push(...game.end(event));
        game = null;
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
 * A seed that no game was dealt from was opened when the room was closed.
 * @returns {Finding}
 */
function unused({ v, reveal }, commitment) {
  const holds = hashOf(reveal.seed) === commitment;
  return holds ? { step: "unused", result: "holds" } : { step: "unused", result: "fails", version: v };
}

/** One game as it is read from the log; says what holds at its end, when the seed is known. */
class Game {
  #start; #commitment; #room; #name; #dealing;
  /** Cards that were shown, and shuffles, in order; with the cells that were face down before. */
  #moves = /** @type {any[]} */ ([]);

  /**
   * @param {any} start `game-started`
   * @param {string | undefined} commitment to the seed, shown before
   * @param {any} room as it was when seats and promises were fixed
   * @param {string} name
   * @param {any} dealing what was frozen before the nonces were opened, with those that were; null where nothing was
   */
  constructor(start, commitment, room, name, dealing) {
    this.#start = start;
    this.#commitment = commitment;
    this.#room = room;
    this.#name = name;
    this.#dealing = dealing;
  }

  see(event, view) {
    if (event.type === "show-card") this.#moves.push(event);
    if (event.type !== "cards-shuffled") return;
    const down = view.cells.flatMap((card, cell) => (card.state === "down" ? [cell] : []));
    this.#moves.push({ ...event, down });
  }

  unfinished() { return [this.#commitment ? this.#finding("commitment", "open") : this.#undealt()]; }

  /** Without a commitment: right for a game in which nothing is drawn. */
  #undealt() {
    const isDealt = games[this.#name]?.isDealt ?? false;
    return isDealt ? this.#finding("commitment", "fails", {}, this.#start.v) : this.#finding("undealt", "holds");
  }

  /** @param {any} end `game-ended` @returns {Finding[]} */
  end(end) {
    if (!this.#commitment) return [this.#undealt()];
    const seed = end.reveal?.seed;
    if (typeof seed !== "string") return [this.#finding("commitment", "fails", {}, end.v)];
    const commitment = hashOf(seed) === this.#commitment
      ? this.#finding("commitment", "holds", { hash: this.#commitment })
      : this.#finding("commitment", "fails", { hash: this.#commitment }, end.v);
    return [commitment, this.#checkNonces(end), this.#checkDeck(seed)];
  }

  #opened() { return this.#start.seats.filter(({ nonce }) => nonce).map(({ seat, nonce }) => ({ seat, nonce })); }

  /**
   * Each promise was made before, each nonce fits its promise, and the end tells the same ones.
   * @returns {Finding}
   */
  #checkNonces({ v, reveal }) {
    const { seats } = this.#start;
    const fixedAt = this.#room.dealing?.v ?? this.#start.v;
    for (const { seat, player, commitment, nonce } of seats) {
      const promised = this.#room.seats.find((one) => one.seat === seat && one.player === player)?.commitment;
      if (commitment !== promised) return this.#finding("nonces", "fails", { seat: seat + 1, player }, fixedAt);
      if (nonce && hashOf(nonce) !== commitment) {
        return this.#finding("nonces", "fails", { seat: seat + 1, player }, this.#start.v);
      }
    }
    const other = this.#otherThanDealt();
    if (other) return this.#finding("nonces", "fails", { seat: other.seat + 1, player: other.player }, this.#start.v);
    const opened = this.#opened();
    const told = [...(reveal.nonces ?? [])].sort((a, b) => a.seat - b.seat).map(({ seat, nonce }) => ({ seat, nonce }));
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

  /** A seat that begins the game otherwise than it was frozen and opened before. */
  #otherThanDealt() {
    const { seats } = this.#start, frozen = this.#dealing?.seats ?? seats;
    const key = ({ seat, player, commitment, nonce }) => JSON.stringify([seat, player, commitment, nonce]);
    const [begun, dealt] = [seats, frozen].map((list) => new Set(list.map(key)));
    return frozen.find((one) => !begun.has(key(one))) ?? seats.find((one) => !dealt.has(key(one)));
  }

  /**
   * The game dealt again: each card that was shown is the one that lay there.
   * @returns {Finding}
   */
  #checkDeck(seed) {
    const { board, theme, v } = this.#start;
    // The order of faces decides on the deck: it was fixed before anybody knew the words.
    if (this.#dealing && !same(this.#dealing.theme?.faces, theme.faces)) return this.#finding("deck", "fails", {}, v);
    const words = new Words(gameSeed(seed, this.#opened()));
    let { deck, drawn } = deal(this.#start, words);
    const faces = new Set(theme.faces).size;
    if (drawn !== undefined && pairsFor(drawn, faces) !== board.pairs) return this.#finding("deck", "fails", {}, v);
    let shown = 0;
    for (const event of this.#moves) {
      if (event.type === "cards-shuffled") {
        const moves = reshuffled(event.down, words);
        if (!same(moves, event.moves)) return this.#finding("deck", "fails", {}, event.v);
        const before = [...deck];
        for (const [from, to] of moves) deck[to] = before[from];
      } else {
        const { cell, face } = event, expected = deck[cell];
        if (face !== expected) return this.#finding("deck", "fails", { card: cell + 1, face, expected }, event.v);
        shown += 1;
      }
    }
    return this.#finding("deck", "holds", { count: shown });
  }

  /**
   * @param {Finding["step"]} step
   * @param {Finding["result"]} result
   * @param {Record<string, any>} values
   * @param {number} [version]
   * @returns {Finding}
   */
  #finding(step, result, values = {}, version = undefined) {
    const finding = { step, result, game: this.#start.number, values: { ...values, name: this.#name } };
    return version === undefined ? finding : { ...finding, version };
  }
}
