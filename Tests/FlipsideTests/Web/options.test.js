// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changesOf, chosen, chosenFor, describe as told, factsChosen, isChoiceMet, optionsOf } from "../../../web/games/options.js";
import { games } from "../../../web/games/list.js";

describe("The options of a room, as its host changes them", () => {
  const easy = { preset: "easy", columns: 2, rows: 5, pairs: null };
  for (const [what, options, change, expected] of /** @type {[string, any, any, any][]} */ ([
    ["nothing is sent if nothing was touched", { rule: "hard", reveal: 300, turnTime: 45 }, {}, {}],
    ["a requested time is withdrawn", { turnTime: 45 }, { turnTime: "" }, { turnTime: null }],
    ["only what was touched", { pairs: 7, rule: "hard", turnTime: 45 }, { turnTime: "60" }, { turnTime: 60 }],
    ["a request is withdrawn", { rule: "hard" }, { rule: "" }, { rule: null }],
    ["a board is sent with all options of its shape", { pairs: 7 }, { board: "easy" }, easy],
    ["so are the sides of a custom one", { columns: 6, rows: 6 }, { rows: "7" },
      { preset: "custom", columns: 6, rows: 7, pairs: null }],
  ])) {
    test(what, () => {
      const before = chosen("memory", options);
      assert.deepEqual(changesOf(before, { ...before, ...change }), expected);
    });
  }

  for (const [what, options, expected] of /** @type {[string, any, any][]} */ ([
    ["the room's theme if none was requested", {}, { board: "classic", theme: "animals" }],
    ["that of all cards", { preset: "memorize" }, { board: "memorize", theme: "random" }],
    ["no board of the form if pairs were requested", { pairs: 7 }, { board: "" }],
    ["a board by its sides", { columns: 4, rows: 5 }, { board: "hard" }],
  ])) {
    test(`shown is ${what}`, () => {
      const shown = chosen("memory", options);
      for (const [name, value] of Object.entries(expected)) assert.equal(shown[name], value);
    });
  }

  test("a new room has everything that the form shows", () => {
    assert.deepEqual(optionsOf(chosen("reversi")), { game: "reversi", options: { turnTime: null } });
    assert.equal(optionsOf(chosen()).options.theme, "random");
  });
});

describe("The choices on the home page", () => {
  for (const [what, game, kept, expected] of /** @type {[string, string, any, string[]][]} */ ([
    ["nothing", "memory", null, []],
    ["the page's defaults", "memory", { board: "classic", theme: "random" }, []],
    ["a custom board", "memory", { board: "custom", columns: "6", rows: "6" }, ["6 × 6"]],
    ["a board, and a time", "memory", { board: "hard", rule: "pairs", turnTime: "15" }, ["4 × 5", "15 s a turn"]],
    ["the time limit switched off", "memory", { turnTime: "0" }, ["no time limit"]],
    ["a choice no longer offered", "memory", { board: "huge", theme: "stamps" }, []],
    ["a time, for a game without boards", "reversi", { turnTime: "60" }, ["60 s a turn"]],
  ])) test(`is said: ${what}`, () => assert.deepEqual(factsChosen(game, kept).map((fact) => fact.replace(/per/, "a")), expected));

  test("are limited to levels that the game has", () => {
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
    ["a custom board, by one with these sides", own, asked(own), true],
    ["a time, by one that has another", { turnTime: "15" }, { ...asked(plain), turnTime: 60 }, false],
    ["the number and strength of players, by any", { level: "perfect", seats: "2" }, asked(plain), true],
  ])) test(`is met: ${what}: ${isMet}`, () => assert.equal(isChoiceMet("memory", wanted, options), isMet));
});

describe("A game whose options are only fields", () => {
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

  test("starts with the first choice of each", during(() => {
    assert.deepEqual(chosen("checkers"), { game: "checkers", turnTime: "", size: "8", flying: "true" });
  }));
  test("sends the hub values of the declared kind", during(() => {
    const choice = { ...chosen("checkers"), size: "10", flying: "false" };
    assert.deepEqual(optionsOf(choice), { game: "checkers", options: { size: 10, flying: false, turnTime: null } });
    assert.deepEqual(changesOf(chosen("checkers"), choice), { size: 10, flying: false });
  }));
  test("shows a room's options, and none for an unknown value", during(() => {
    const shown = chosen("checkers", { size: 12, flying: false });
    assert.deepEqual([shown.size, shown.flying], ["", "false"]);
  }));
  test("is described by its title and the requests", during(() => {
    assert.deepEqual(told("checkers", { size: 10, flying: true }), ["Checkers", "10 size"]);
    assert.deepEqual(told("checkers", { size: 12 }), ["Checkers", "Size: 12"]);
  }));
});
