// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkGames } from "../../../web/games/check-fairness.js";
import { dealCheck } from "../../../web/games/go-fish/check.js";
import { start } from "../../../web/games/go-fish/fold.js";
import { goFish } from "../../../web/games/go-fish/game.js";
import { handsOf } from "../../../web/games/go-fish/hands.js";
import { cardWidth } from "../../../web/games/go-fish/layout.js";
import { ReplayHands } from "../../../web/games/replay-hands.js";
import { Timeline } from "../../../web/games/timeline.js";
import { playGoFish } from "./played-go-fish.js";

const GAMES = /** @type {[string, Parameters<typeof playGoFish>[0]][]} */ ([
  ["of two", { players: 2 }], ["of three", { players: 3 }], ["of six", { players: 6, seed: "cd".repeat(32) }],
  ["for pairs", { players: 4, books: "pairs" }],
  ["of four", { players: 4, seed: "ef".repeat(32) }],
  ["that a player resigned", { players: 4, quit: { after: 9, type: "resigned" } }],
  ["that a player left, of two", { players: 2, quit: { after: 5, type: "player-left" } }],
  ["in which a player was late three times", { players: 3, quit: { after: 7, type: "turn-expired" } }],
]);

/** Every version of a room's log, with its view. */
function viewsOf(log) {
  const timeline = new Timeline("k3m7pq", "p0");
  for (const event of log) timeline.add(event);
  return log.map(({ v }) => /** @type {any} */ (timeline.at(v).view));
}

describe("A game of Go Fish", () => {
  for (const [what, options] of GAMES) {
    const { log, hands, begun } = playGoFish(options), views = viewsOf(log);
    const { players = 3, books } = /** @type {any} */ (options);

    test(`${what} is folded to the numbers of cards that the hands have`, () => {
      hands.forEach((all, index) => {
        const { cards, pond, books: laid, scores } = views[begun + index];
        const counts = Object.fromEntries(Object.entries(all).map(([seat, hand]) => [seat, hand.cards.length]));
        assert.deepEqual(cards, counts);
        const held = Object.values(counts).reduce((sum, count) => sum + count, 0);
        assert.equal(pond + held + laid.length * (books === "pairs" ? 2 : 4), 52);
        assert.equal(Object.values(scores).reduce((sum, count) => sum + count, 0), laid.length);
      });
    });

    test(`${what} is dealt again with the same hands at each event, once it has ended`, () => {
      const replay = new ReplayHands(log, handsOf);
      hands.forEach((all, index) => assert.deepEqual(replay.at(begun + 1 + index), all));
      assert.deepEqual(replay.at(log.length), hands.at(-1));
      assert.deepEqual([replay.at(begun), new ReplayHands(log.slice(0, -1), handsOf).at(begun + 2)], [{}, {}]);
    });

    test(`${what} is found fair, and what is changed in it is found`, () => {
      const checked = (events) => checkGames("k3m7pq", events, dealCheck).find(({ step }) => step === "hands" || step === "fold");
      const found = checked(log);
      assert.equal(found?.result, "holds");
      assert.ok(Number(found?.values?.count) >= players);
      const changes = log.flatMap((event, index) => {
        if (event.type === "cards-asked") return [[index, { ...event, count: event.count + 1 }]];
        if (event.type === "card-drawn") return [[index, event.rank ? { ...event, rank: undefined } : { ...event, rank: "A" }]];
        return event.type === "book" ? [[index, { ...event, rank: event.rank === "K" ? "A" : "K" }]] : [];
      });
      for (const [index, event] of changes) {
        assert.equal(checked(log.map((one, at) => (at === index ? event : one)))?.result, "fails", `at ${index}`);
      }
    });
  }

  test("is not fair if its draws or turns do not follow the rules", () => {
    for (const [, options] of GAMES) {
      const { log } = playGoFish(options), { players = 3 } = options;
      const of = (...types) => log.flatMap(({ type }, index) => (types.includes(type) ? [index] : []));
      const other = ({ seat }) => (seat + 1) % players;
      // Older Nodes have no `with` and no `toSpliced`.
      const replaced = (at, ...others) => [...log.slice(0, at), ...others, ...log.slice(at + 1)];
      const forged = /** @type {[string, any[]][]} */ ([
        ...of("card-drawn", "turn", "book").map((at) => [`${at} left out`, replaced(at)]),
        ...of("card-drawn", "turn", "cards-asked", "turn-expired")
          .map((at) => [`${at} of another`, replaced(at, { ...log[at], seat: other(log[at]) })]),
        ...of("cards-asked", "card-drawn", "turn").flatMap((at) => Array.from({ length: players }, (_, seat) =>
          [`a draw of ${seat} after ${at}`, replaced(at, log[at], { v: at + 2, t: 0, type: "card-drawn", seat })])),
        ...of("cards-asked").map((at) => [`${at} to oneself`, replaced(at, { ...log[at], of: log[at].seat })]),
      ]);
      for (const [what, events] of forged) {
        const found = checkGames("k3m7pq", events, dealCheck).find(({ result }) => result === "fails");
        assert.ok(found, what);
      }
    }
  });

  test("shows the newest question, and whether a card was drawn for it", () => {
    const { log } = playGoFish({ players: 3 }), views = viewsOf(log);
    const seen = new Set();
    log.forEach((event, index) => {
      const { last } = views[index] ?? {};
      if (event.type === "cards-asked") {
        const { seat, of, rank, count } = event;
        assert.deepEqual(last, { seat, of, rank, count });
      }
      if (last) seen.add([last.count > 0, last.drew === true, last.lucky === true].join());
    });
    // Given; fished in vain; fished luckily; asked.
    assert.deepEqual([...seen].sort(), ["false,false,false", "false,true,false", "false,true,true", "true,false,false"]);
  });

  test("counts turns that ran out, and puts a player out after the third in a row", () => {
    const seats = [{ seat: 0 }, { seat: 1 }, { seat: 2 }];
    let view = start(/** @type {any} */ ({ options: {}, seats, first: 0 }));
    const step = (event) => { view = goFish.fold(view, /** @type {any} */ (event)); };
    const late = (seat) => {
      view = { ...view, awaited: [seat], deadline: 9 };
      step({ type: "turn-expired", seat });
    };
    for (const seat of [0, 1, 0, 1]) late(seat);
    assert.deepEqual([view.late, view.awaited, "deadline" in view], [{ 0: 2, 1: 2 }, [], false]);
    view = { ...view, awaited: [1] };
    step({ type: "cards-asked", seat: 1, of: 0, rank: "7", count: 0 });
    assert.deepEqual(view.late, { 0: 2 });
    late(0);
    assert.deepEqual([view.late, view.out, view.cards[0], view.pond], [{}, [{ seat: 0, reason: "time" }], 0, 38]);
  });
});

describe("A question", () => {
  const view = start(/** @type {any} */ ({ options: {}, seats: [{ seat: 0 }, { seat: 2 }, { seat: 5 }], first: 0 }));
  const hand = { cards: ["7♠", "10♥"] }, own = { seat: 0, hand }, [seven, ten, two] = [6, 9, 1], player = (seat) => 13 + seat;
  const alone = { ...view, cards: { ...view.cards, 5: 0 } };

  for (const [what, target, state, mine, expected] of /** @type {[string, number, any, any, any][]} */ ([
    ["needs a rank first", player(2), view, own, "go-fish.rank-first"],
    ["is for a rank in hand", seven, view, own, ""],
    ["is for no other", two, view, own, "error.rank-not-held"],
    ["is for none without a hand", seven, view, { seat: 0 }, "error.rank-not-held"],
    ["goes to a player", player(2), view, { ...own, chosen: ten }, ""],
    ["goes not to oneself", player(0), view, { ...own, chosen: ten }, "go-fish.own-hand"],
    ["goes to no free seat", player(1), view, { ...own, chosen: ten }, "error.no-such-player"],
    ["goes to no one who is out", player(2), { ...view, out: [{ seat: 2, reason: "left" }] }, { ...own, chosen: ten },
      "error.no-such-player"],
    ["needs a rank only if there is a single player", player(2), alone, own, "go-fish.rank-only"],
    ["goes to no one without cards", player(5), alone, { ...own, chosen: ten }, "error.has-no-cards"],
  ])) test(what, () => assert.equal(goFish.whyNot(state, target, mine), expected));

  test("takes two presses if there are several players", () => {
    assert.equal(goFish.move(ten, view, own), null);
    assert.deepEqual(goFish.move(player(5), view, { ...own, chosen: ten }), { type: "ask", seat: 5, rank: "10" });
  });

  test("takes one press if there is a single player", () =>
    assert.deepEqual(goFish.move(seven, alone, own), { type: "ask", seat: 2, rank: "7" }));

  const names = ["Ann", "", "Ben", "", "", "Cleo"], who = (seat) => ({ name: names[seat], isYou: seat === 0 });
  for (const [event, expected] of /** @type {[any, string][]} */ ([
    [{ type: "cards-asked", seat: 0, of: 2, rank: "7", count: 2 }, "You asked Ben for sevens and got 2."],
    [{ type: "cards-asked", seat: 2, of: 5, rank: "A", count: 1 }, "Ben asked Cleo for aces and got 1."],
    [{ type: "cards-asked", seat: 2, of: 0, rank: "10", count: 0 }, "Ben asked you for tens. Go fish!"],
    [{ type: "card-drawn", seat: 2 }, "Ben drew a card."],
    [{ type: "card-drawn", seat: 0, rank: "7" }, "You drew the rank you asked for!"],
    [{ type: "book", seat: 5, rank: "K" }, "Cleo laid down a book of kings."],
    [{ type: "resigned", seat: 5 }, "Cleo resigned."], [{ type: "turn", seat: 5 }, ""],
  ])) test(`in words: ${expected || "nothing for a turn"}`, () => assert.equal(goFish.sentence(event, who), expected));

  test("of a game for pairs has words of its own", () => {
    const pairs = /** @type {any} */ ({ ...view, options: { books: "pairs" } });
    const said = goFish.sentence(/** @type {any} */ ({ type: "book", seat: 5, rank: "K" }), who, pairs);
    assert.deepEqual([said, goFish.remaining?.(pairs)], ["Cleo laid down a pair of kings.", "26 pairs left"]);
  });
});

test("The cards of a hand are as large as they may be", () => {
  for (const [groups, width, height, expected] of /** @type {[number[], number, number, number][]} */ ([
    // One card alone; five in a row on a desk; fifteen on a phone, in two rows; too many.
    [[1], 900, 250, 104], [[2, 1, 1, 1], 900, 250, 104], [[1, 2, 1, 3, 1, 1, 1, 1, 2, 2], 900, 250, 70],
    [[1, 2, 1, 3, 1, 1, 1, 1, 2, 2], 330, 140, 44], [Array(13).fill(3), 330, 100, 32],
  ])) assert.equal(cardWidth(groups, { width, height }), expected, `${groups} in ${width} by ${height}`);
});
