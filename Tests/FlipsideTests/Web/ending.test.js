// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { sentence } from "../../../web/games/sentences.js";
import { ending } from "../../../web/views/ending.js";
import { isTriumph } from "../../../web/views/status-line.js";

/** As much of an element as the view uses. */
class Scripted {
  hidden = false;
  textContent = "";
  className = "";
  dataset = {};
  href = "";
  classList = { toggle() {} };
  attributes = {};
  setAttribute(name, value) { this.attributes[name] = value; }
  /** @type {Scripted[]} */
  children = [];
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
}

const result = (seat, place, score) => (
  { seat, player: ["ann", "ben"][seat], score, place, turns: 3, pairs: score, time: 9_000 });
const two = [result(0, 1, 2), result(1, 2, 0)];

/** What the end shows to `ann`. */
function drawn(reason, results, more = {}) {
  const [root, title, detail, places, series] = Array.from({ length: 5 }, () => new Scripted());
  const [news, rematch, wanted, yes, later, no, answers, replay] = Array.from({ length: 8 }, () => new Scripted());
  const parts = { root, title, detail, places, series, news, rematch, wanted, yes, later, no, answers, replay };
  const players = [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }];
  const { here = ["ann", "ben"], view, names, ...ofRoom } = more;
  const room = {
    code: "k3m7pq", status: "ended", game: "memory", host: "ann", seats: players, players, reason, results, ...ofRoom,
  };
  const state = {
    you: { player: "ann", isHost: true, seat: 0 }, room, view: { columns: 2, rows: 3, pairs: 3, ...view },
    names: { ann: "Ann", ben: "Ben", cid: "Cid", dee: "Dee", ...names }, presence: { players: here, spectators: 0 },
  };
  Object.assign(globalThis, { document: { createElement: () => new Scripted() } });
  ending(/** @type {any} */ (parts))(state, { isShown: true });
  const spans = parts.places.children.map((item) => Object.fromEntries(
    item.children.map(({ className, textContent }) => [className, textContent])));
  return {
    title: parts.title.textContent, detail: parts.detail.textContent, medals: spans.map(({ medal }) => medal),
    scores: spans.map(({ score }) => score), isTriumph: isTriumph(state), details: spans.map(({ detail }) => detail),
    ...Object.fromEntries(["series", "rematch"].map((part) => [part, parts[part].textContent])),
    yes: yes.hidden ? "" : yes.textContent, no: no.hidden ? "" : no.textContent, rests: yes.attributes["aria-disabled"],
  };
}

describe("The end of a game", () => {
  test("with a winner has medals and something to celebrate", () => {
    const { title, detail, medals, scores, isTriumph } = drawn("finished", two);
    assert.deepEqual({ title, detail, isTriumph }, { title: "You win!", detail: "", isTriumph: true });
    assert.deepEqual({ medals, scores }, { medals: ["🥇", "🥈"], scores: ["2", "0"] });
  });

  test("has no medal for a player alone, nor for one who left", () => {
    assert.deepEqual(drawn("finished", two.slice(0, 1)).medals, [""]);
    assert.deepEqual(drawn("finished", [two[0], { ...two[1], left: true }]).medals, ["🥇", ""]);
  });

  test("says in words which of several results is the player's own", () => {
    const marked = (/** @type {string[]} */ details) => details.map((words) => words.split(" · ").includes("you"));
    assert.deepEqual(marked(drawn("finished", two).details), [true, false]);
    assert.deepEqual(marked(drawn("finished", two.slice(0, 1)).details), [false]);
  });

  test("alone says how many turns a perfect memory needs, as a whole number", () => {
    assert.match(drawn("finished", two.slice(0, 1)).detail, /about 4 on this board/);
  });

  test("shows the series between two, and among more how many games each has won", () => {
    const wins = { ann: 2, ben: 1 };
    assert.equal(drawn("finished", two, { wins }).series, "Series: Ann 2\u00a0:\u00a01 Ben");
    assert.equal(drawn("finished", two, { wins: { ben: 1 } }).series, "Series: Ann 0\u00a0:\u00a01 Ben");
    const three = drawn("finished", [...two, { ...result(1, 3, 0), player: "cy" }], { wins });
    assert.equal(three.series, "");
    assert.deepEqual(three.details.map((words) => /\d wins? in the series/.exec(words)?.[0]),
      ["2 wins in the series", "1 win in the series", undefined]);
  });

  const proposal = { what: "rematch", seat: 1, asked: [0], agreed: [1], deadline: 30_000 };
  for (const [name, said, more] of /** @type {[string, any, any][]} */ ([
    ["offers another game", { rematch: "", yes: "Rematch", no: "" }, {}],
    ["asks the players who were asked", { rematch: "Ready for a rematch: Ben.", yes: "Rematch", no: "No" }, { proposal }],
    ["lets a player who agreed withdraw",
      { rematch: "Ready for a rematch: Ann. Waiting for Ben", yes: "✓ Rematch", no: "Withdraw" },
      { proposal: { ...proposal, seat: 0, asked: [1], agreed: [0] } }],
    ["lets a player who said no change their mind", { rematch: "Ready for a rematch: Ben.", yes: "Rematch", no: "" },
      { proposal: { ...proposal, asked: [] } }],
    ["offers none in a closed room", { rematch: "", yes: "", no: "" }, { status: "closed", here: ["ann"] }],
  ])) {
    test(name, () => {
      const { rematch, yes, no, rests } = drawn("finished", two, more);
      assert.deepEqual({ rematch, yes, no }, said);
      assert.equal(rests, String(yes.startsWith("✓")));
    });
  }

  const changed = [{ seat: 0, player: "ann" }, { seat: 1, player: "cid" }];

  test("names the player who asks for another game, and for the end the one who had that seat before", () => {
    const { rematch, detail } = drawn("resigned", two, { proposal, seats: changed, here: ["ann", "cid"],
      view: { out: [{ seat: 1, reason: "resigned" }] } });
    assert.deepEqual([rematch, detail], ["Ready for a rematch: Cid.", "Ben resigned."]);
  });

  test("names no one who went out long before the end", () => {
    assert.equal(drawn("finished", two, { view: { out: [{ seat: 1, reason: "left" }] } }).detail, "");
  });

  for (const [name, said, more] of /** @type {[string, any, any][]} */ ([
    ["says who is missing for another game", ["Ben isn’t here right now.", "true"], { here: ["ann"] }],
    ["says who of several", ["Ben and Cid aren’t here right now.", "true"],
      { here: ["ann"], seats: [...changed.slice(0, 1), { seat: 1, player: "ben" }, { seat: 2, player: "cid" }] }],
    ["offers another game if enough are here", ["", "false"],
      { here: ["ann", "cid"], seats: [...changed, { seat: 2, player: "ben" }] }],
    ["offers one with a computer", ["", "false"],
      { here: ["ann"], seats: [...changed.slice(0, 1), { seat: 1, player: "bot-1" }] }],
    ["offers one alone", ["", "false"], { here: ["ann"], seats: changed.slice(0, 1) }],
    ["offers none with a player who agreed and then left", ["Ready for a rematch: Ben.", "true"],
      { here: ["ann"], proposal: { ...proposal, asked: [0] } }],
  ])) {
    test(name, () => {
      const { rematch, rests } = drawn("finished", two, more);
      assert.deepEqual([rematch, rests], said);
    });
  }

  test("keeps names from right to left in place", () => {
    const names = { ann: "علي 1", ben: "שרה 2" }, [one, two_] = ["\u2068علي 1\u2069", "\u2068שרה 2\u2069"];
    const { rematch, series } = drawn("finished", two, { names, wins: { ann: 1 },
      proposal: { ...proposal, seat: 0, asked: [1], agreed: [0] } });
    assert.deepEqual([rematch, series],
      [`Ready for a rematch: ${one}. Waiting for ${two_}`, `Series: ${one} 1\u00a0:\u00a00 ${two_}`]);
  });

  // A board of nine cells has a gap, which counts: 6.75, 9 and 13.5.
  for (const [cells, ...edges] of [[16, 12, 16, 23], [9, 6, 9, 13], [10, 7, 10, 14]]) {
    test(`of one player alone praises a low number of turns, on ${cells} cells`, () => {
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
        assert.equal(title, "Game over");
        assert.deepEqual(medals, results.map(() => ""));
        assert.deepEqual(scores, results.map(({ score }) => String(score)));
        assert.equal(isTriumph, false);
        const who = { seat: () => ({ name: "Ann", isYou: false }), player: () => ({ name: "Ann", isYou: false }) };
        assert.equal(sentence("memory", { type: "game-ended", reason, results }, who), "The game is over.");
      });
    }
  }

  test("that stalled says why", () => { assert.equal(drawn("stalled", two).detail, "No one found another pair."); });

  test("by the game's own fault says so, and shows nothing else", () => {
    const detail = "An error ended the game.";
    const said = drawn("fault", []);
    assert.deepEqual([said.title, said.detail, said.medals, said.isTriumph], ["Game over", detail, [], false]);
    const who = { seat: () => ({ name: "Ann", isYou: false }), player: () => ({ name: "Ann", isYou: false }) };
    assert.equal(sentence("memory", { type: "game-ended", reason: "fault", results: [] }, who), detail);
  });
});
