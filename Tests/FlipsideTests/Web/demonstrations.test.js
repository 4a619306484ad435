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
      const brought = /** @type {any} */ (await game.demonstration?.());
      // Without one, the demonstration's end is the picture.
      const { view, steps, seat, hands } = brought[what] ?? brought.demonstration;
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
      const boardOf = (/** @type {any} */ shown) => shown.cells ?? shown.lines ?? shown;
      assert.notDeepEqual(boardOf(now), boardOf(before));
      if (!hands) return;
      const counts = steps.reduce((views, [, event]) => [...views, game.fold(views.at(-1), event)], [view])
        .map(({ cards, hands, bidders }) => cards[seat] ?? hands[seat].length - Number(bidders.includes(seat)));
      assert.deepEqual(hands.map((/** @type {any} */ all) => all[seat].cards.length), counts);
    });
  }
});
