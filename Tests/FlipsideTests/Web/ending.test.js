// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { sentence } from "../../../web/games/sentences.js";
import { ending } from "../../../web/views/ending.js";
import { isTriumph } from "../../../web/views/status-line.js";

/** As much of an element as the view asks for. */
class Scripted {
  hidden = false;
  textContent = "";
  className = "";
  dataset = {};
  classList = { toggle() {} };
  /** @type {Scripted[]} */
  children = [];
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
}

const result = (seat, place, score) => (
  { seat, player: ["ann", "ben"][seat], score, place, turns: 3, pairs: score, time: 9_000 });
const two = [result(0, 1, 2), result(1, 2, 0)];

/** What the end says to `ann`. */
function drawn(reason, results) {
  const [root, title, detail, places, hint] = Array.from({ length: 5 }, () => new Scripted());
  const parts = { root, title, detail, places, hint };
  const room = { status: "ended", game: "memory", host: "ann", seats: [], players: [], reason, results };
  const state = {
    you: { player: "ann", isHost: true, seat: 0 }, room, view: { columns: 2, rows: 3, pairs: 3 },
    names: { ann: "Ann", ben: "Ben" },
  };
  Object.assign(globalThis, { document: { createElement: () => new Scripted() } });
  ending(/** @type {any} */ (parts))(state, true);
  const spans = parts.places.children.map((item) => Object.fromEntries(
    item.children.map(({ className, textContent }) => [className, textContent])));
  return {
    title: parts.title.textContent, detail: parts.detail.textContent, medals: spans.map(({ medal }) => medal),
    scores: spans.map(({ score }) => score), isTriumph: isTriumph(state),
  };
}

describe("The end of a game", () => {
  test("that somebody has won has a winner, medals and something to celebrate", () => {
    const said = drawn("finished", two);
    const medals = ["🥇", "🥈"], scores = ["2", "0"];
    assert.deepEqual(said, { title: "You win!", detail: "", medals, scores, isTriumph: true });
  });

  // A board of nine cells has a gap, which counts: 6.75, 9 and 13.5.
  for (const [cells, ...edges] of [[16, 12, 16, 23], [9, 6, 9, 13], [10, 7, 10, 14]]) {
    test(`of one player alone praises the turns that it took, on ${cells} cells`, () => {
      const title = (turns) => games.memory.ending.title({ ...two[0], turns }, { columns: 1, rows: cells }, true);
      const words = ["Excellent memory!", "Great memory!", "Good memory!", "All done!"];
      edges.forEach((most, index) => {
        assert.deepEqual([most, most + 1].map(title), words.slice(index, index + 2));
      });
    });
  }

  for (const reason of ["stalled", "left", "closed", "restart"]) {
    for (const results of [two, two.slice(0, 1)]) {
      test(`${reason}, of ${results.length}: scores, and no praise, place or medal`, () => {
        const { title, medals, scores, isTriumph } = drawn(reason, results);
        assert.equal(title, "The game has ended");
        assert.deepEqual(medals, results.map(() => ""));
        assert.deepEqual(scores, results.map(({ score }) => String(score)));
        assert.equal(isTriumph, false);
        const who = { seat: () => ({ name: "Ann", isYou: false }), player: () => ({ name: "Ann", isYou: false }) };
        assert.equal(sentence("memory", { type: "game-ended", reason, results }, who), "The game is over.");
      });
    }
  }

  test("that stalled says why", () => { assert.equal(drawn("stalled", two).detail, "Nobody found any more pairs."); });

  test("by the game's own fault says so, and has nothing else to show", () => {
    const detail = "The game had a fault and was ended.";
    const said = drawn("fault", []);
    assert.deepEqual(said, { title: "The game has ended", detail, medals: [], scores: [], isTriumph: false });
    const who = { seat: () => ({ name: "Ann", isYou: false }), player: () => ({ name: "Ann", isYou: false }) };
    assert.equal(sentence("memory", { type: "game-ended", reason: "fault", results: [] }, who), detail);
  });
});
