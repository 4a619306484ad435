// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changesOf, chosen, chosenFor, describe as told, factsChosen, isChoiceMet, optionsOf } from "../../../web/games/options.js";
import { games } from "../../../web/games/list.js";

describe("The options of a room, as its host changes them", () => {
  const easy = { preset: "easy", columns: 2, rows: 5, pairs: null };
  for (const [what, options, change, expected] of /** @type {[string, any, any, any][]} */ ([
    ["nothing is sent where nothing was touched", { rule: "hard", reveal: 300, turnTime: 45 }, {}, {}],
    ["a time that was asked for is taken back", { turnTime: 45 }, { turnTime: "" }, { turnTime: null }],
    ["only what was touched", { pairs: 7, rule: "hard", turnTime: 45 }, { turnTime: "60" }, { turnTime: 60 }],
    ["what was asked for is taken back", { rule: "hard" }, { rule: "" }, { rule: null }],
    ["a board is sent with all that its shape is asked for by", { pairs: 7 }, { board: "easy" }, easy],
    ["so are the sides of one's own", { columns: 6, rows: 6 }, { rows: "7" },
      { preset: "custom", columns: 6, rows: 7, pairs: null }],
  ])) {
    test(what, () => {
      const before = chosen("memory", options);
      assert.deepEqual(changesOf(before, { ...before, ...change }), expected);
    });
  }

  for (const [what, options, expected] of /** @type {[string, any, any][]} */ ([
    ["the theme that a room has where none was asked for", {}, { board: "classic", theme: "animals" }],
    ["that of all cards", { preset: "memorize" }, { board: "memorize", theme: "random" }],
    ["no board of the form's where pairs were asked for", { pairs: 7 }, { board: "" }],
    ["a board by its sides", { columns: 4, rows: 5 }, { board: "hard" }],
  ])) {
    test(`shown is ${what}`, () => {
      const shown = chosen("memory", options);
      for (const [name, value] of Object.entries(expected)) assert.equal(shown[name], value);
    });
  }

  test("a room that is opened has all that the form shows", () => {
    assert.deepEqual(optionsOf(chosen("reversi")), { game: "reversi", options: { turnTime: null } });
    assert.equal(optionsOf(chosen()).options.theme, "random");
  });
});

describe("What somebody has chosen on the home page", () => {
  for (const [what, game, kept, expected] of /** @type {[string, string, any, string[]][]} */ ([
    ["nothing", "memory", null, []],
    ["as the page would", "memory", { board: "classic", theme: "random" }, []],
    ["a board of their own", "memory", { board: "custom", columns: "6", rows: "6" }, ["6 × 6"]],
    ["a board, and a time", "memory", { board: "hard", rule: "pairs", turnTime: "15" }, ["4 × 5", "15 s a turn"]],
    ["to have no time limit", "memory", { turnTime: "0" }, ["no time limit"]],
    ["what is not on offer any more", "memory", { board: "huge", theme: "stamps" }, []],
    ["a time, of a game without boards", "reversi", { turnTime: "60" }, ["60 s a turn"]],
  ])) test(`is said: ${what}`, () => assert.deepEqual(factsChosen(game, kept).map((fact) => fact.replace(/per/, "a")), expected));

  test("is a level that the game has", () => {
    const { levels } = games.memory;
    assert.equal(chosenFor("memory", { level: levels[0] }).level, levels[0]);
    assert.notEqual(chosenFor("memory", { level: "none" }).level, "none");
  });

  const asked = (/** @type {any} */ choice) => /** @type {any} */ (optionsOf(chosenFor("memory", choice)).options);
  const [small, own, plain] = [{ board: "easy" }, { board: "custom", columns: "4", rows: "4" }, null];
  for (const [what, wanted, options, isMet] of /** @type {[string, any, any, boolean][]} */ ([
    ["nothing, by any room", plain, { preset: "hard", columns: 4, rows: 5, theme: "numbers" }, true],
    ["a board, by a room that has it, whatever its cards", small, { ...asked(small), theme: "numbers" }, true],
    ["a board, by a room that says it in a word", small, { preset: "easy" }, true],
    ["a board, by one that has another", small, asked(plain), false],
    ["a board of one's own, by one with these sides", own, asked(own), true],
    ["a time, by one that has another", { turnTime: "15" }, { ...asked(plain), turnTime: 60 }, false],
    ["how many play and how well, by any", { level: "perfect", seats: "2" }, asked(plain), true],
  ])) test(`is met: ${what}: ${isMet}`, () => assert.equal(isChoiceMet("memory", wanted, options), isMet));
});

describe("A game that says its options as fields alone", () => {
  const field = (name, label, values) =>
    ({ name, label, choices: () => values.map((value) => ({ value, label: `${value} ${name}` })) });
  const checkers = /** @type {any} */ ({
    ...games.reversi, title: "Checkers",
    options: { shown: [field("size", "Size", [8, 10])], folded: [[field("flying", "Kings", [true, false])]] },
  });
  const during = (act) => () => {
    games.checkers = checkers;
    try { act(); } finally { delete games.checkers; }
  };

  test("has the first choice of each at first", during(() => {
    assert.deepEqual(chosen("checkers"), { game: "checkers", turnTime: "", size: "8", flying: "true" });
  }));
  test("gives the hub values of the kind that it said", during(() => {
    const choice = { ...chosen("checkers"), size: "10", flying: "false" };
    assert.deepEqual(optionsOf(choice), { game: "checkers", options: { size: 10, flying: false, turnTime: null } });
    assert.deepEqual(changesOf(chosen("checkers"), choice), { size: 10, flying: false });
  }));
  test("shows a room's options, and none where the form does not know the value", during(() => {
    const shown = chosen("checkers", { size: 12, flying: false });
    assert.deepEqual([shown.size, shown.flying], ["", "false"]);
  }));
  test("is told by its title and what was asked for", during(() => {
    assert.deepEqual(told("checkers", { size: 10, flying: true }), ["Checkers", "10 size"]);
    assert.deepEqual(told("checkers", { size: 12 }), ["Checkers", "Size: 12"]);
  }));
});
