// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { storage } from "./scripted-storage.js";
import { lastPlayed, noteEnd } from "../../../web/store/last-played.js";
import { nameOfMode } from "../../../web/games/modes.js";
import { ranksOf } from "../../../web/views/result-list.js";

const end = (/** @type {string} */ ...players) => /** @type {any} */ ({
  type: "game-ended", game: "memory", mode: "easy-2x5",
  results: players.map((player) => ({ player, ...(player.startsWith("bot") && { bot: true }) })),
});

describe("The last played game", () => {
  beforeEach(() => storage.shared.clear());

  for (const [players, against] of /** @type {[string[], string][]} */ ([
    [["ann"], "alone"], [["ann", "bot-1"], "computers"], [["ben", "ann"], "people"],
    [["ann", "ben", "bot-2"], "people"],
  ])) {
    test(`${players.join(" and ")}: against ${against}`, () => {
      noteEnd(end(...players), "ann");
      assert.deepEqual(lastPlayed(), { game: "memory", mode: "easy-2x5", against });
    });
  }

  test("is not one that was only watched", () => {
    noteEnd(end("ben", "cy"), "ann");
    noteEnd(end("ben"), undefined);
    assert.equal(lastPlayed(), null);
  });
});

describe("Ranks", () => {
  for (const [name, results, ranks] of /** @type {[string, number[][], string[]][]} */ ([
    ["none", [], []],
    ["each its own", [[9, 1, 1], [9, 1, 2], [9, 2, 1], [8, 1, 1]], ["1", "2", "3", "4"]],
    ["equal ones share one, and the next rank is skipped", [[9, 1, 1], [8, 1, 1], [8, 1, 1], [7, 1, 1]],
      ["1", "2", "2", "4"]],
    ["all equal", [[9, 1, 1], [9, 1, 1], [9, 1, 1]], ["1", "1", "1"]],
  ])) {
    test(name, () => {
      const listed = results.map(([score, turns, time]) => /** @type {any} */ ({ score, turns, time }));
      assert.deepEqual(ranksOf(listed), ranks);
    });
  }

  test("a rule and a board have a name", () => {
    assert.equal(nameOfMode("memory", "hard-4x5"), "Hard · 4 × 5");
  });
});
