// @ts-check
import { createHash } from "node:crypto";
import { gameSeed, Words } from "../../../web/cryptography/random-words.js";

const RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split(" ");
const CARDS = RANKS.flatMap((rank) => [..."♠♥♦♣"].map((suit) => rank + suit));
const rankOf = (card) => card.slice(0, -1);

/**
 * The log of a room with one game of Go Fish, by the rules alone, and the hands after each event of the game. Everyone
 * asks one player after another for one rank after another. After so many questions one goes out by `quit`.
 * @param {{players?: number, books?: string, seed?: string,
 *   quit?: {after: number, type: "resigned" | "player-left" | "turn-expired"}}} options
 */
export function playGoFish({ players = 3, books = "fours", seed = "ab".repeat(32), quit } = {}) {
  const seats = [...Array(players).keys()].map((seat) => ({ seat, player: `p${seat}` }));
  const commitment = createHash("sha256").update(Buffer.from(seed, "hex")).digest("hex");
  const log = /** @type {any[]} */ ([]), told = /** @type {Record<number, {cards: string[]}>[]} */ ([]);
  const size = books === "pairs" ? 2 : 4;
  const pond = new Words(gameSeed(seed, [])).shuffled(CARDS);
  const hands = seats.map(() => pond.splice(0, players < 4 ? 7 : 5));
  const out = new Set(), scores = seats.map(() => 0);
  const sees = () => Object.fromEntries(hands.map((hand, seat) =>
    [seat, { cards: CARDS.filter((card) => hand.includes(card)) }]));
  const add = (event) => log.push({ v: log.length + 1, t: 1_000 * log.length, ...event });
  const play = (event) => {
    add(event);
    told.push(sees());
  };

  add({ type: "room-opened", game: "go-fish", options: { seats: players }, visibility: "public", host: "p0", commitment });
  for (const seat of seats) add({ type: "seat-taken", ...seat });
  play({ type: "game-started", number: 1, options: { seats: players, turnTime: 0, books }, seats, first: 0 });
  const after = (seat) => seats.map((_, index) => (seat + 1 + index) % players).filter((other) => !out.has(other));
  const inOrder = (seat) => [...(out.has(seat) ? [] : [seat]), ...after(seat).filter((other) => other !== seat)];
  const lay = (from) => inOrder(from).forEach((seat) => RANKS.forEach((rank) => {
    for (;;) {
      const own = CARDS.filter((card) => hands[seat].includes(card) && rankOf(card) === rank).slice(0, size);
      if (own.length < size) return;
      hands[seat] = hands[seat].filter((card) => !own.includes(card));
      scores[seat] += 1;
      play({ type: "book", seat, rank });
    }
  }));
  const draw = (seat, asked = "") => {
    const card = /** @type {string} */ (pond.shift());
    hands[seat].push(card);
    play({ type: "card-drawn", seat, ...(rankOf(card) === asked && { rank: asked }) });
    return rankOf(card) === asked;
  };
  const refill = (from) => { for (const seat of inOrder(from)) if (hands[seat].length === 0 && pond.length > 0) draw(seat); };

  let mover = 0, questions = 0, reason = "finished";
  lay(0);
  refill(0);
  for (;;) {
    play({ type: "turn", seat: mover });
    if (quit && questions === quit.after) {
      const seat = mover;
      if (quit.type === "turn-expired") {
        // Everyone's time runs out in turn, until this player's has three times.
        for (let late = 1; late < 3; late++) {
          for (const other of [seat, ...after(seat).filter((one) => one !== seat)]) {
            play({ type: "turn-expired", seat: other });
            play({ type: "turn", seat: after(other).filter((one) => hands[one].length > 0)[0] });
          }
        }
      }
      out.add(seat);
      pond.push(...CARDS.filter((card) => hands[seat].includes(card)));
      hands[seat] = [];
      play({ type: quit.type, seat, ...(quit.type === "player-left" && { result: {}, why: "left" }) });
      quit = undefined;
      if (out.size >= players - 1) {
        reason = "resigned";
        break;
      }
      refill(seat);
      mover = after(seat).find((other) => hands[other].length > 0) ?? -1;
      continue;
    }
    const ranks = RANKS.filter((rank) => hands[mover].some((card) => rankOf(card) === rank));
    const others = after(mover).filter((other) => other !== mover && hands[other].length > 0);
    const rank = ranks[questions % ranks.length], of = others[(questions * 7) % 5 % others.length];
    const given = hands[of].filter((card) => rankOf(card) === rank);
    hands[of] = hands[of].filter((card) => !given.includes(card));
    hands[mover].push(...given);
    questions += 1;
    if (questions > 3_000) throw new Error("This game does not end.");
    play({ type: "cards-asked", seat: mover, of, rank, count: given.length });
    let isAgain = given.length > 0;
    if (!isAgain && pond.length > 0) isAgain = draw(mover, rank);
    lay(mover);
    refill(mover);
    const next = isAgain && hands[mover].length > 0 ? mover : after(mover).find((other) => hands[other].length > 0);
    if (next === undefined) break;
    mover = next;
  }
  add({
    type: "game-ended", game: "go-fish", mode: books, number: 1, reason, reveal: { seed, nonces: [] }, commitment: "00".repeat(32),
    results: seats.map(({ seat, player }) => ({ seat, player, score: scores[seat], place: 1, time: 0 })),
  });
  return { log, hands: told, begun: players + 1 };
}
