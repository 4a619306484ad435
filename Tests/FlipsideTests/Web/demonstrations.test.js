// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import "./scripted-storage.js";
import { games } from "../../../web/games/list.js";

describe("The demonstration of a game", () => {
  const shown = Object.entries(games).flatMap(([name, game]) => ["demonstration", "miniature"].map((what) => ({ name, game, what })));
  for (const { name, game, what } of shown) {
    if (!game.howToPlay) continue;
    test(`${name}, ${what}: each move is legal, and the last step changes the board`, async () => {
      const { [what]: { view, steps } } = /** @type {any} */ (await game.demonstration?.());
      let before = view, now = view;
      for (const [after, event] of steps) {
        assert.ok(after > 0);
        before = now;
        if (event.type === "place-disc") {
          assert.equal(before.cells[event.cell], null);
          assert.deepEqual(event.flips.map((/** @type {number} */ cell) => before.cells[cell]), event.flips.map(() => 1 - event.seat));
        } else if (game.happenedAt?.(/** @type {any} */ (event)) !== undefined) {
          assert.equal(game.whyNot({ ...before, awaited: [event.seat] }, game.happenedAt(/** @type {any} */ (event))), "");
        }
        now = game.fold(before, event);
      }
      assert.notDeepEqual(now.cells ?? now.lines, before.cells ?? before.lines);
    });
  }
});
