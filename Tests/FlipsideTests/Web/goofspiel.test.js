// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkRoom, fold as foldRoom, gameSeed, open, readLog, sha256, Words } from "../../../web/client.js";
import { bytesOf } from "../../../web/cryptography/sha256.js";
import { handsOf } from "../../../web/games/goofspiel/hands.js";
import { layoutOf } from "../../../web/games/goofspiel/layout.js";
import { games } from "../../../web/games/list.js";
import { ReplayHands } from "../../../web/games/replay-hands.js";
import { sealedIn } from "../../../web/games/seals.js";

const { fold, start, sentence, whyNot } = games.goofspiel;

/** A game of three with four cards each, dealt from a known seed. */
const SEED = "5".repeat(64), CODE = "k3m7pq";
const order = new Words(gameSeed(SEED, [])).shuffled([1, 2, 3, 4]);
const options = { seats: 3, turnTime: 30, cards: 4 };
const players = ["ann", "ben", "cleo"].map((player, seat) => ({ seat, player }));
const hex = (/** @type {string} */ text) => Buffer.from(text).toString("hex");
const sealedCard = (/** @type {number} */ card, /** @type {number} */ v) => hex(String(v).padStart(32, "s") + JSON.stringify({ card }));

/** Builds a room's log; events get their versions, and bids their seals. */
class Log {
  events = /** @type {any[]} */ ([]);
  seals = /** @type {{v: number, sealed: string}[]} */ ([]);
  constructor() {
    this.add({ type: "room-opened", game: "goofspiel", options, visibility: "unlisted", host: "ann", commitment: sha256(bytesOf(SEED)) });
    for (const { seat, player } of players) this.add({ type: "seat-taken", seat, player });
    this.add({ type: "game-started", number: 1, options, seats: players, first: 0 });
  }
  add(/** @type {any} */ event) {
    const { length } = this.events, t = Math.max(1_000 * length, this.events.at(-1)?.t ?? 0);
    this.events.push({ v: length + 1, t, ...event });
    return this;
  }
  bid(/** @type {number} */ seat, /** @type {number} */ card) {
    const v = this.events.length + 1, sealed = sealedCard(card, v);
    this.seals.push({ v, sealed });
    return this.add({ type: "bid-sealed", seat, seal: sha256(bytesOf(sealed)) });
  }
  prize(/** @type {number} */ round) { return this.add({ type: "prize-shown", prize: order[round], deadline: 90_000 }); }
  shown(/** @type {any[]} */ bids, /** @type {number} */ stake, /** @type {number} */ winner = -1) {
    const all = bids.map(([seat, card, late]) => ({ seat, card, ...(late && { late: true }) }));
    return this.add({ type: "bids-shown", bids: all, stake, ...(winner >= 0 && { winner }) });
  }
  end() {
    const reveal = { seed: SEED, nonces: [], seals: this.seals };
    return this.add({ type: "game-ended", game: "goofspiel", mode: "4", number: 1, results: [], reason: "finished", reveal });
  }
}

/** A tie, a bid by the clock, and a player who resigns after a bid. */
const played = () => new Log()
  .prize(0).bid(1, 3).bid(0, 3).bid(2, 1).shown([[0, 3], [1, 3], [2, 1]], order[0], 2)
  .prize(1).bid(0, 4).bid(2, 4).add({ type: "turn-expired", seat: 1, t: 90_000 })
  .shown([[0, 4], [1, 1, true], [2, 4]], order[1], 1)
  .prize(2).bid(0, 2).bid(1, 2).bid(2, 2).shown([[0, 2], [1, 2], [2, 2]], order[2])
  .prize(3).bid(1, 4).add({ type: "resigned", seat: 1 }).bid(0, 1).bid(2, 3)
  .shown([[0, 1], [2, 3]], order[2] + order[3], 2).end();
const { events, seals } = played();
const started = events.find(({ type }) => type === "game-started");
const viewAt = (/** @type {number} */ v) => events.slice(started.v, v).reduce(fold, start(started));
const versionOf = (/** @type {string} */ type, nth = 0) => events.filter((event) => event.type === type)[nth].v;

describe("The fold of Goofspiel", () => {
  test("awaits everyone who may still bid, from the first prize on", () => {
    const awaited = events.slice(started.v - 1, versionOf("bids-shown")).map(({ v }) => viewAt(v).awaited);
    assert.deepEqual(awaited, [[], [0, 1, 2], [0, 2], [2], [], []]);
    const { bidders, hands, deadline } = viewAt(versionOf("bid-sealed", 1));
    // A card that is sealed is not known to have left the hand.
    assert.deepEqual([bidders, hands[0], deadline], [[0, 1], [1, 2, 3, 4], 90_000]);
  });

  test("gives all at stake to the highest bid that only one player has made", () => {
    const { scores, stake, hands, rounds, prize, deadline, bidders } = viewAt(versionOf("bids-shown"));
    assert.deepEqual([scores, stake, prize, deadline, bidders], [{ 0: 0, 1: 0, 2: order[0] }, 0, undefined, undefined, []]);
    assert.deepEqual(hands, { 0: [1, 2, 4], 1: [1, 2, 4], 2: [2, 3, 4] });
    assert.deepEqual(rounds, [{ prize: order[0], stake: order[0], bids: { 0: 3, 1: 3, 2: 1 }, winner: 2 }]);
  });

  test("keeps at stake what no one has won", () => {
    const after = viewAt(versionOf("bids-shown", 2)), next = viewAt(versionOf("prize-shown", 3));
    assert.deepEqual([after.stake, "winner" in after.rounds[2], next.stake], [order[2], false, order[2] + order[3]]);
    assert.deepEqual(next.prizes, []);
  });

  test("counts missed bids until the next one", () => {
    assert.deepEqual(viewAt(versionOf("turn-expired")).late, { 1: 1 });
    assert.deepEqual(viewAt(versionOf("turn-expired")).awaited, [1]);
    assert.deepEqual(viewAt(versionOf("bid-sealed", 6)).late, {});
  });

  test("puts a player out after the third in a row, who makes no bid", () => {
    const late = { type: "turn-expired", seat: 1 };
    const before = { ...viewAt(versionOf("prize-shown", 2)), late: { 0: 1, 1: 2 } }, after = fold(before, /** @type {any} */ (late));
    assert.deepEqual([after.out, after.late, after.awaited], [[{ seat: 1, reason: "time" }], { 0: 1 }, [0, 2]]);
  });

  test("takes back the bid of a player who goes out", () => {
    const after = viewAt(versionOf("resigned"));
    assert.deepEqual([after.out, after.bidders, after.awaited, after.hands[1]], [[{ seat: 1, reason: "resigned" }], [], [0, 2], [4]]);
    const over = fold(after, /** @type {any} */ ({ type: "player-left", seat: 0, player: "ann" }));
    assert.deepEqual([over.awaited, "deadline" in over, over.prize], [[], false, order[3]]);
    assert.equal(fold(over, /** @type {any} */ ({ type: "player-left", seat: 2, player: "cleo" })), over);
  });

  test("follows a room, whose views it never changes", () => {
    const frozen = (/** @type {any} */ value) => {
      if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
      return value;
    };
    const state = events.slice(1).reduce((state, event) => foldRoom(frozen(state), frozen(event)), /** @type {any} */ (open(CODE, events[0])));
    assert.deepEqual(state.view?.scores, { 0: 0, 1: order[1], 2: order[0] + order[2] + order[3] });
    assert.deepEqual([state.view?.awaited, state.room.status], [[], "ended"]);
  });
});

describe("A bid in Goofspiel", () => {
  test("is one of the cards that are left", () => {
    const view = viewAt(versionOf("bids-shown"));
    assert.deepEqual([0, 1, 2, 3].map((target) => whyNot(view, target, { seat: 0 })), ["", "", "error.card-is-used", ""]);
    assert.deepEqual(games.goofspiel.move(2, view, {}), { type: "bid", card: 3 });
  });

  test("has words once it is shown", () => {
    const who = (/** @type {number} */ seat) => ({ name: ["Ann", "Ben", "Cleo"][seat], isYou: seat === 2 });
    const said = (/** @type {number} */ nth) => sentence(events[versionOf("bids-shown", nth) - 1], who);
    assert.match(said(0), /^Ann: 3, Ben: 3,? and You: 1\. You win \d points?\.$/);
    assert.match(said(2), /\. No one wins\. \d points? stays? at stake\.$/);
  });
});

describe("The hands of a finished game of Goofspiel", () => {
  test("have the bids that lie sealed", () => {
    const hands = handsOf(started, events.slice(started.v), new Words(SEED), sealedIn(seals));
    const at = (/** @type {number} */ v) => hands[v - started.v];
    assert.deepEqual(at(versionOf("bid-sealed")), { 0: { cards: [1, 2, 3, 4] }, 1: { cards: [1, 2, 4], bid: 3 }, 2: { cards: [1, 2, 3, 4] } });
    assert.deepEqual(at(versionOf("bids-shown"))[1], { cards: [1, 2, 4] });
    assert.deepEqual([at(versionOf("resigned") - 1)[1], at(versionOf("resigned"))[1]], [{ cards: [], bid: 4 }, { cards: [4] }]);
  });

  test("are known to a replay by what the end revealed", () => {
    const replay = new ReplayHands(events, handsOf);
    assert.deepEqual(replay.at(versionOf("bid-sealed", 1))[0], { cards: [1, 2, 4], bid: 3 });
    assert.deepEqual(new ReplayHands(events.slice(0, -1), handsOf).at(versionOf("bid-sealed", 1)), {});
  });
});

describe("Checking a game of Goofspiel", () => {
  const found = async (/** @type {any[]} */ list) => {
    const lines = list.map((event) => JSON.stringify(event)).join("\n") + "\n";
    const findings = await checkRoom({ code: CODE, entries: readLog(new TextEncoder().encode(lines)) });
    return findings.slice(2).map(({ step, result, version, values }) => [step, result, version ?? values?.count].join(" ").trim());
  };
  const altered = (/** @type {number} */ v, /** @type {(event: any) => void} */ change) => {
    const list = structuredClone(events);
    change(list[v - 1]);
    return list;
  };

  test("finds that everything holds if nothing was changed", async () => {
    assert.deepEqual(await found(events), ["commitment holds", "nonces holds 0", "seals holds 11", "bids holds 11"]);
  });

  test("leaves the seals of a game that is not over open", async () => {
    assert.deepEqual(await found(events.slice(0, versionOf("bids-shown"))), ["commitment open", "seals open"]);
  });

  const [shown, late, last] = [versionOf("bids-shown"), versionOf("bids-shown", 1), versionOf("game-ended")];
  const sealed = versionOf("bid-sealed");
  for (const [what, list, expected] of /** @type {[string, any[], string][]} */ ([
    ["another prize", altered(versionOf("prize-shown", 1), (event) => { event.prize = order[3]; }), `bids fails ${versionOf("prize-shown", 1)}`],
    ["another bid than was sealed", altered(shown, (event) => { event.bids[0].card = 4; }), `bids fails ${shown}`],
    ["another winner", altered(shown, (event) => { event.winner = 1; }), `bids fails ${shown}`],
    ["another stake", altered(shown, (event) => { event.stake += 1; }), `bids fails ${shown}`],
    ["a late bid that was not the lowest card", altered(late, (event) => { event.bids[1].card = 2; }), `bids fails ${late}`],
    ["a bid called late that was not", altered(shown, (event) => { event.bids[0].late = true; }), `bids fails ${shown}`],
    ["a bid that was left out", altered(shown, (event) => event.bids.pop()), `bids fails ${shown}`],
    ["another seal", altered(sealed, (event) => { event.seal = "0".repeat(64); }), `seals fails ${sealed}`],
    ["a seal that opens otherwise", altered(last, (event) => { event.reveal.seals[0].sealed = sealedCard(4, sealed); }), `seals fails ${sealed}`],
  ])) test(`finds ${what}`, async () => assert.deepEqual((await found(list)).at(-1), expected));

  for (const [what, versions] of /** @type {[string, number[]][]} */ ([
    ["a bid without a seal, opened as any card", [sealed]],
    ["bids without any seal", seals.map(({ v }) => v)],
  ])) test(`finds ${what}`, async () => {
    const list = structuredClone(events);
    for (const v of versions) delete list[v - 1].seal;
    assert.deepEqual((await found(list)).at(-1), `bids fails ${sealed}`);
  });

  test("finds a bid whose time was not up", async () => {
    const v = versionOf("turn-expired"), early = altered(v, (event) => { event.t = 89_999; });
    assert.deepEqual((await found(early)).at(-1), `fold fails ${v}`);
  });

  test("finds a prize that was shown twice", async () => {
    const twice = new Log().prize(0).prize(0).bid(0, 3).bid(1, 1).bid(2, 2);
    const list = twice.shown([[0, 3], [1, 1], [2, 2]], 2 * order[0], 0).end().events;
    assert.deepEqual((await found(list)).at(-1), "bids fails 7");
  });

  test("finds a card that was bid twice", async () => {
    const again = new Log().prize(0).bid(0, 3).bid(1, 1).bid(2, 2).shown([[0, 3], [1, 1], [2, 2]], order[0], 0).prize(1).bid(0, 3).end();
    assert.deepEqual((await found(again.events)).at(-1), "bids fails 12");
  });
});

describe("The cards of a board of Goofspiel", () => {
  const cardOf = (/** @type {number} */ width, /** @type {number} */ height, cards = 13) => {
    const { card, row } = /** @type {any} */ (layoutOf({ width, height }, cards, 5, true));
    return [row, parseInt(card)];
  };
  test("stand in one row on a desk and in two on a phone, large enough to press", () => {
    assert.deepEqual(cardOf(913, 600), [13, 64]);
    assert.deepEqual(cardOf(492, 266), [13, 31]);
    const [row, card] = cardOf(341, 348);
    assert.deepEqual([row, card >= 40], [7, true]);
    assert.ok(cardOf(200, 100)[1] >= 24);
  });
  test("leave space for everything else on a phone with a long status line", () => {
    const sizes = /** @type {any} */ (layoutOf({ width: 341, height: 273 }, 13, 5, true));
    const [card, bid, prize, value] = ["card", "bid", "prize", "value"].map((name) => parseFloat(sizes[name]));
    const cards = Math.ceil(13 / sizes.row) * (card * 1.34 + 5) + (bid + prize) * 1.34;
    const words = 2 * 12 * 1.25 + Math.ceil(13 / sizes.values) * value * sizes.line, gaps = 6 * 4;
    assert.ok(cards + words + gaps <= 273, `${cards + words + gaps} px`);
    assert.deepEqual([card >= 30, sizes.own < 1], [true, true]);
    assert.equal(layoutOf({ width: 341, height: 363 }, 13, 5, true).own, 1);
  });
});
