// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import "../../../web/games/list.js";
import { boardOf, cutBoard, FACES, remark } from "../../../web/games/memory/faces.js";
import { THEMES } from "../../../web/games/memory/options.js";

describe("A board with more pairs than its theme has faces", () => {
  for (const [what, options, columns, rows, isDrawn] of /** @type {[string, any, number?, number?, boolean?][]} */ ([
    ["is cut to as many", { preset: "custom", columns: 6, rows: 6, theme: "animals" }, 4, 8, false],
    ["is cut to as many if no theme was requested", { columns: 6, rows: 6 }, 4, 8, false],
    ["is cut to the next count that fits a board", { columns: 8, rows: 12, theme: "music" }, 3, 9, false],
    ["is cut if it was requested by its pairs", { pairs: 20, theme: "fruit" }, 4, 7, false],
    ["may be cut if the theme is drawn", { columns: 5, rows: 5, theme: "random" }, undefined, undefined],
    ["may be cut, at most this much, if the theme is drawn", { columns: 5, rows: 6, theme: "random" }, 4, 6, true],
    ["is as requested if the faces suffice", { columns: 8, rows: 12, theme: "numbers" }, undefined, undefined],
    ["is 4 by 4 for half a shape", { columns: 8, theme: "birds" }, 4, 6, false],
    ["has as many pairs as the theme if no number was requested", { preset: "memorize" }, undefined, undefined],
    ["is none of the presets", { preset: "hard", theme: "random" }, undefined, undefined],
  ])) {
    test(what, () => {
      const cut = cutBoard(options);
      if (columns === undefined) return assert.equal(cut, null);
      assert.deepEqual({ columns: cut?.columns, rows: cut?.rows, isDrawn: cut?.isDrawn }, { columns, rows, isDrawn });
      assert.match(remark(options), new RegExp(`${columns} × ${rows}`));
    });
  }

  test("is known for every theme that the form offers", () => {
    assert.deepEqual(Object.keys(FACES).sort(), THEMES.map(({ name }) => name).filter((name) => name !== "random").sort());
  });

  test("is one of the hub's: nearly square, and 2 by 3 at least", () => {
    assert.deepEqual([2, 3, 13, 16, 48].map((pairs) => Object.values(boardOf(pairs))),
      [[2, 3], [2, 3], [3, 9], [4, 8], [8, 12]]);
  });
});
