// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changesOf, chipsOf, chosen, describe as told, factsChosen, hasTurnTime, isChoiceMet, optionsOf, remarkOn } from "../../../web/games/options.js";
import { memory } from "../../../web/games/memory/game.js";
import { cuesOf as ofMemory } from "../../../web/games/memory/sounds.js";
import { squares } from "../../../web/games/memory/result.js";
import { nameOfMode } from "../../../web/games/modes.js";
import { fold, open } from "../../../web/games/room.js";
import { sentence } from "../../../web/games/sentences.js";
import { cuesOf } from "../../../web/sound/cues.js";
import { sentenceOf } from "../../../web/views/announcer.js";
import { mayMove, statusLine, whyNot } from "../../../web/views/status-line.js";

const NAMES = ["ann", "ben", "cleo"], SECOND = 5_000, REVEAL = 1_000;
const names = { ann: "Ann", ben: "Ben", cleo: "Cleo" };
/** The cards: three pairs. */
const FACES = ["a", "b", "c", "a", "b", "c"];
const zero = { 0: 0, 1: 0, 2: 0 };

/** The events up to the first turn of a race, and then `moves`, each at a time with a type and its fields. */
function race(moves, rule = "pairs") {
  const options = { order: "free", turnTime: SECOND / 1_000, reveal: REVEAL, rule, turnRule: "again", matched: "stay", seats: 3 };
  const seats = NAMES.map((player, seat) => ({ seat, player }));
  const board = { columns: 2, rows: 3, pairs: 3 }, theme = { name: "animals", colour: ["red"], faces: [] };
  const start = [
    { t: 0, type: "room-opened", game: "memory", options: {}, visibility: "public", host: "ann" },
    ...seats.map((seat) => ({ t: 0, type: "seat-taken", ...seat })),
    { t: 0, type: "game-started", more: true, number: 1, options, board, theme, seats, first: 1 },
    { t: 0, type: "turns", seats: [0, 1, 2] },
  ];
  return /** @type {any[]} */ ([...start, ...moves]).map((event, index) => ({ v: index + 1, ...event }));
}
const show = (t, seat, cell, more = {}) => ({ t, type: "show-card", seat, cell, face: FACES[cell], ...more });
const hide = (t, ...cells) => ({ t, type: "hide-card", cells, scores: zero });
const match = (t, seat, cells, scores = { ...zero, [seat]: 1 }) => ({ t, type: "match", seat, cells, scores });

/** All states of the room with these moves, as `player` sees them. */
function states(moves, player = "ann", rule = "pairs") {
  const [opened, ...events] = race(moves, rule), first = { ...open("k3m7pq", opened, { isHost: false, player }), names };
  return events.reduce((all, event) => [...all, fold(all.at(-1), event)], [first]);
}
const after = (moves, player = "ann", rule = "pairs") => /** @type {any} */ (states(moves, player, rule).at(-1));
const cells = (view) => view.cells.map(({ state, face = "", by = "" }) => state[0] + face + by).join(" ");

describe("The view of a race", () => {
  test("waits for all from the start, and has no one to move", () => {
    const { view } = after([]);
    assert.deepEqual([view.awaited, view.attempts, view.up, "mover" in view, "deadline" in view], [[0, 1, 2], {}, [], false, false]);
  });

  for (const [what, moves, expected] of /** @type {[string, any[], any][]} */ ([
    ["a first card stays for the time of the second", [show(100, 1, 0)],
      { up: [0], attempts: { 1: { cells: [0], until: 5_100 } }, awaited: [0, 1, 2], turns: { 0: 0, 1: 1, 2: 0 } }],
    ["two that differ stay for a moment, in which their player waits", [show(100, 1, 0), show(300, 1, 1)],
      { up: [0, 1], attempts: { 1: { cells: [0, 1], until: 1_300 } }, awaited: [0, 2], turns: { 0: 0, 1: 1, 2: 0 } }],
    ["both turn back, and the player may turn cards again", [show(100, 1, 0), show(300, 1, 1), hide(1_300, 0, 1)],
      { up: [], attempts: {}, awaited: [0, 1, 2] }],
    ["a single card turns back", [show(100, 1, 0), hide(5_100, 0)], { up: [], attempts: {}, awaited: [0, 1, 2] }],
    ["a pair is won", [show(1, 1, 0), show(2, 1, 3), match(2, 1, [0, 3])],
      { up: [], attempts: {}, awaited: [0, 1, 2], won: { 0: 0, 1: 1, 2: 0 }, pairsLeft: 2 }],
    ["several have cards up", [show(1, 2, 1), show(2, 0, 2)],
      { up: [1, 2], attempts: { 0: { cells: [2], until: 5_002 }, 2: { cells: [1], until: 5_001 } } }],
    ["a first card takes another's, whose player has none then", [show(1, 1, 0), show(2, 0, 3), match(2, 0, [0, 3])],
      { up: [], attempts: {}, awaited: [0, 1, 2], turns: { 0: 1, 1: 1, 2: 0 }, won: { 0: 1, 1: 0, 2: 0 } }],
    ["a second card takes another's, and the first stays with its time",
      [show(1, 0, 1), show(2, 1, 0), show(3, 0, 3), match(3, 0, [0, 3])],
      { up: [1], attempts: { 0: { cells: [1], until: 5_001 } }, awaited: [0, 1, 2], turns: { 0: 1, 1: 1, 2: 0 } }],
    ["of two that differ one is taken, and the player of the other waits on",
      [show(1, 1, 0), show(2, 1, 1), show(3, 0, 3), match(3, 0, [0, 3])],
      { up: [1], attempts: { 1: { cells: [1], until: 1_002 } }, awaited: [0, 2] }],
    ["both are taken, and their player waits no longer",
      [show(1, 1, 0), show(2, 1, 1), show(3, 0, 3), match(3, 0, [0, 3]), show(4, 2, 4), match(4, 2, [1, 4])],
      { up: [], attempts: {}, awaited: [0, 1, 2] }],
    ["an outage moves the time of each attempt", [show(1, 0, 0), show(2, 1, 1), { t: 9, type: "clock-extended", ms: 500, until: 9 }],
      { attempts: { 0: { cells: [0], until: 5_501 }, 1: { cells: [1], until: 5_502 } } }],
    ["no one waits for a player who has left",
      [show(1, 1, 0), hide(2, 0), { t: 2, type: "player-left", seat: 1, player: "ben", result: { turns: 0 } }],
      { up: [], attempts: {}, awaited: [0, 2], left: [1], turns: { 0: 0, 1: 0, 2: 0 } }],
  ])) {
    test(what, () => {
      const { view } = after(moves);
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, view[name]])), expected);
      const up = view.cells.flatMap((card, cell) => (card.state === "up" ? [cell] : []));
      assert.deepEqual([...view.up].sort(), up);
      assert.deepEqual(Object.values(view.attempts).flatMap((one) => one.cells).sort(), up);
    });
  }

  test("shows who has won which cards", () => {
    const taken = [show(1, 1, 0), show(2, 1, 1), show(3, 0, 3), match(3, 0, [0, 3])];
    assert.equal(cells(after(taken).view), "wa0 ub d wa0 d d");
  });
});

describe("In a race", () => {
  const differ = [show(1, 0, 0), show(2, 0, 1)], one = [show(1, 0, 0)], anothers = [show(1, 1, 0), show(2, 1, 1)];
  for (const [what, moves, cell, line, why] of /** @type {[string, any[], number, string, string][]} */ ([
    ["everyone may turn a card", [], 0, "Everyone’s turn", ""],
    ["so it stays while others have cards up", anothers, 2, "Everyone’s turn", ""],
    ["but not one that is up", anothers, 0, "Everyone’s turn", "Already face up."],
    ["the second card follows", one, 1, "Find the match", ""],
    ["a player waits for two to turn back", differ, 5, "No match…", "Wait for the cards to flip back."],
    ["and so for one that is left of them", [...differ, show(3, 1, 3), match(3, 1, [0, 3])], 5, "No match…",
      "Wait for the cards to flip back."],
    ["but not if both were taken", [...differ, show(3, 1, 3), match(3, 1, [0, 3]), show(4, 1, 4), match(4, 1, [1, 4])], 5,
      "Everyone’s turn", ""],
  ])) {
    test(what, () => {
      const state = after(moves);
      assert.deepEqual([statusLine(state), whyNot(state, cell), mayMove(state)], [line, why, !why.startsWith("Wait")]);
    });
  }

  test("a spectator hears that all play", () => assert.equal(statusLine(after(differ, "dora")), "Everyone’s turn"));

  test("the last player is not everyone", () => {
    const left = [1, 2].map((seat) => ({ t: 1, type: "player-left", seat, player: NAMES[seat], result: { turns: 0 } }));
    assert.deepEqual([statusLine(after(left.slice(1))), statusLine(after(left)), statusLine(after(left, "dora"))],
      ["Everyone’s turn", "Your turn", "Ann’s turn"]);
  });

  test("only as many moves start as the own attempt has cards left", () => {
    const left = (moves) => memory.movesLeft?.(after(moves).view, { seat: 0 });
    assert.deepEqual([left([]), left(anothers), left(one)], [2, 2, 1]);
  });

  test("cards are shuffled while none is up, once each", () => {
    const [shuffle] = memory.buttons, shuffled = [{ t: 1, type: "cards-shuffled", seat: 0, moves: [[0, 1], [1, 0]] }];
    const why = (moves, seat = 0) => shuffle.whyNot(after(moves).view, seat);
    assert.deepEqual([why([]), why(anothers), why(shuffled), why(shuffled, 1)],
      ["", "error.attempt-under-way", "error.already-shuffled", ""]);
  });

  test("the time is that of the own card, and so is the bonus", () => {
    const { view } = after([show(1, 0, 0), show(700, 1, 1)], "ann", "hard");
    assert.deepEqual([0, 1, 2].map((seat) => memory.deadline?.(view, seat)), [5_001, 5_700, undefined]);
    assert.deepEqual([0, 1, 2].map((seat) => memory.bonus?.since(view, seat)), [1, 700, undefined]);
    assert.equal(memory.deadline?.(after(differ).view, 0), undefined);
  });

  test("a board that scrolls stays with its player, and follows the game for others", () => {
    const { view } = after(one), event = /** @type {any} */ (show(1, 0, 0));
    assert.deepEqual([memory.happenedAt?.(event, view, 1), memory.happenedAt?.(event, view)], [undefined, 0]);
  });

  test("a failed attempt belongs to the player who turned its cards, not to the last who turned one", () => {
    const moves = [show(1, 0, 0), show(2, 0, 1), show(3, 1, 5), hide(1_002, 0, 1), show(4, 1, 2), match(4, 1, [5, 2])];
    const rows = squares(after(moves).view, race(moves));
    assert.deepEqual(rows.map(({ seat, squares }) => [seat, [...squares].length]), [[0, 1], [1, 1]]);
  });
});

describe("Of a race a player who cannot see the board hears", () => {
  const own = [show(1, 0, 0), show(2, 0, 1)];
  const said = (moves, player = "ann") => {
    const all = states(moves, player), [before, state] = all.slice(-2);
    return sentenceOf(state, /** @type {any} */ (race(moves).at(-1)), before);
  };
  for (const [what, moves, expected] of /** @type {[string, any[], any][]} */ ([
    ["that all play", [], "You, Ben, and Cleo play at once."],
    ["the own card", [show(1, 0, 0)], "You flipped card 1: a."],
    ["no card of others", [show(1, 1, 0)], ""],
    ["that the own cards turn back", [...own, hide(1_002, 0, 1)], "No match. The cards flip back."],
    ["not that those of others do, even if that costs points",
      [show(1, 1, 0), show(2, 1, 1), { ...hide(1_002, 0, 1), scores: { ...zero, 1: -5 } }], ""],
    ["pairs of others, with the scores", [show(1, 1, 0), show(2, 1, 3), match(2, 1, [0, 3])],
      "Ben found a pair. You: 0 points, Ben: 1 point, Cleo: 0 points. 2 pairs left."],
    ["that the own card was taken", [show(1, 0, 0), show(2, 1, 3), match(2, 1, [0, 3])],
      "Ben found a pair. It includes your card. You: 0 points, Ben: 1 point, Cleo: 0 points. 2 pairs left."],
    ["nothing of the kind of another's card", [show(1, 2, 0), show(2, 0, 3), match(2, 0, [0, 3])],
      "You found a pair. You: 1 point, Ben: 0 points, Cleo: 0 points. 2 pairs left."],
  ])) test(what, () => assert.equal(said(moves), expected));

  test("only pairs, if they watch", () => {
    assert.equal(said([show(1, 1, 0)], "dora"), "");
    assert.match(said([show(1, 1, 0), show(2, 1, 3), match(2, 1, [0, 3])], "dora"), /^Ben found a pair\./);
  });

  test("while a replay lists every event", () => {
    const who = { seat: (seat) => ({ name: NAMES[seat], isYou: false }), player: () => ({ name: "", isYou: false }) };
    for (const event of race([show(1, 1, 0), hide(9, 0)]).slice(-3)) assert.notEqual(sentence("memory", event, who), "");
  });
});

describe("The sounds of a race", () => {
  const heard = (moves, player) => {
    const [before, state] = states(moves, player).slice(-2);
    return cuesOf(/** @type {any} */ (race(moves).at(-1)), before, state, ofMemory).map(({ cue }) => cue);
  };
  const differ = [show(1, 0, 0), show(2, 0, 1)];
  for (const [what, moves, player, cues] of /** @type {[string, any[], string, string[]][]} */ ([
    ["the start, for those who play", [], "cleo", ["turn"]], ["not for others", [], "dora", []],
    ["a card", [show(1, 1, 0)], "ann", ["flip"]], ["an own miss", differ, "ann", ["flip", "mismatch"]],
    ["no miss of others", differ, "ben", ["flip"]], ["every miss, for those who watch", differ, "dora", ["flip", "mismatch"]],
    ["no miss if the card takes another's", [show(1, 1, 0), show(2, 0, 1), show(3, 0, 3)], "ann", ["flip"]],
  ])) test(what, () => assert.deepEqual(heard(moves, player), cues));
});

describe("The form for a race", () => {
  const before = (options) => chosen("memory", options);
  for (const [what, options, change, expected] of /** @type {[string, any, any, any][]} */ ([
    ["asks for it without the options of turns", { turnRule: "alternate", turnTime: 0 }, { order: "free" },
      { order: "free", turnRule: null, turnTime: null }],
    ["asks for turns again, with theirs", { order: "free", turnTime: 10 }, { order: "turns" },
      { order: null, turnRule: "again", turnTime: null }],
    ["sets the time of the second card", { order: "free" }, { secondTime: "10" }, { turnTime: 10 }],
    ["sets what others have by default, for one person", { order: "free" }, { secondTime: "5" }, { turnTime: 5 }],
    ["sets no limit", { order: "free" }, { secondTime: "0" }, { turnTime: 0 }],
    ["takes it back", { order: "free", turnTime: 10 }, { secondTime: "" }, { turnTime: null }],
    ["leaves a time that it does not offer", { order: "free", turnTime: 7 }, { rule: "hard" }, { rule: "hard" }],
  ])) {
    test(what, () => assert.deepEqual(changesOf(before(options), { ...before(options), ...change }), expected));
  }

  test("of a new room asks for nothing of turns", () => {
    const { options } = optionsOf({ ...chosen("memory"), order: "free", turnTime: "60", turnRule: "alternate" });
    assert.deepEqual([options.order, options.turnRule, options.turnTime], ["free", null, null]);
    assert.equal(optionsOf(chosen("memory")).options.order, null);
  });

  test("asks for one of the two times", () => {
    assert.deepEqual([hasTurnTime("memory", { order: "free" }), hasTurnTime("memory", {}), hasTurnTime("reversi", {})],
      [false, true, true]);
    const labels = (options) => chipsOf("memory", options).map(({ label, value }) => `${label}: ${value}`);
    assert.ok(labels({ order: "free", turnTime: 10 }).includes("Turns: Race: all at once · 10 s"));
    assert.ok(labels({ order: "free", turnTime: 7 }).includes("Turns: Race: all at once · 7 s"));
    assert.ok(labels({ order: "free", turnTime: 0 }).includes("Turns: Race: all at once · No limit"));
    assert.ok(labels({ order: "free" }).includes("Turns: Race: all at once · 5 s (multiplayer)"));
    assert.ok(labels({}).includes("Turns: One after another · Go again"));
    const count = (options) => chipsOf("memory", options).filter(({ names }) => names.includes("turnTime")).length;
    assert.deepEqual([count({ order: "free" }), count({})], [0, 1]);
  });

  test("says what it is in words", () => {
    assert.deepEqual(told("memory", { order: "free", turnTime: 10, theme: "animals", columns: 4, rows: 4 }),
      ["4 × 4", "Animals", "Race", "Time for the second card: 10 s"]);
    assert.deepEqual(told("memory", { order: "free", turnTime: 0 }).slice(-2), ["Race", "Time for the second card: No limit"]);
    assert.deepEqual(factsChosen("memory", { order: "free" }), ["Race"]);
    assert.deepEqual(factsChosen("memory", { order: "free", secondTime: "0" }), ["Race", "Time for the second card: No limit"]);
    assert.match(remarkOn("memory", { order: "free" }), /^Everyone flips at once\./);
    assert.equal(remarkOn("memory", {}), "");
    assert.equal(nameOfMode("memory", "free-pairs-4x4"), "Race · Pairs · 4 × 4");
  });

  test("finds rooms that race, if that was chosen", () => {
    const options = /** @type {any} */ (optionsOf(chosen("memory")).options), isMet = (more) =>
      isChoiceMet("memory", { order: "free" }, { ...options, ...more });
    assert.deepEqual([isMet({}), isMet({ order: "free" })], [false, true]);
  });
});
