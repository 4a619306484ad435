// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { NOTHING, squareOf } from "../../../web/games/squares.js";
import { Timeline } from "../../../web/client.js";
import { noteBest, noteOwnBest } from "../../../web/store/bests.js";
import { ofThisSeries, winsAfter } from "../../../web/games/wins.js";
import { resultText, summary } from "../../../web/views/result-words.js";
import { storage } from "./scripted-storage.js";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const fair = read("recorded-fair-room.json");

/** The room after its first recorded game. */
function ended() {
  const timeline = new Timeline(fair.code), events = fair.lines.map((line) => JSON.parse(line));
  for (const event of events) timeline.add(event);
  const start = events.find(({ type }) => type === "game-started").v;
  const end = events.find(({ type }) => type === "game-ended").v;
  const names = Object.fromEntries(events[start - 1].seats.map(({ player, seat }) => [player, ["Ann", "Ben"][seat]]));
  return { state: { ...timeline.at(end), names }, events: events.slice(start - 1, end) };
}

describe("What is shared of a game", () => {
  test("of Memory is, for each player, whether each attempt was a pair", async () => {
    const { state, events } = ended(), { squares } = await games.memory.result();
    const rows = squares(state.view, events);
    for (const { seat, player, turns, pairs } of state.room.results) {
      const own = rows.filter((row) => row.seat === seat).map((row) => row.squares).join("");
      assert.equal([...own].length, turns, player);
      assert.equal([...own].filter((square) => square !== NOTHING).length, pairs, player);
    }
    assert.ok(rows.every((row) => [...row.squares].length <= 12));
  });

  test("has no card that was never turned up", async () => {
    const { board } = await games.memory.result();
    // A page may know more about a card than it shows.
    const cells = [{ state: "down", face: "🐙" }, { state: "up", face: "🐸" }, { state: "won", face: "🦊", by: 1 },
      { state: "gap" }];
    assert.deepEqual(board({ columns: 4, cells, theme: { kind: "emoji" } }).tiles,
      [{ ground: "#8a83a0" }, { ground: "#8a83a0" }, { seat: 1, text: "🦊\ufe0f" }, {}]);
  });

  test("of Reversi and connect four is the final board", async () => {
    const reversi = await games.reversi.result(), four = await games["connect-four"].result();
    const cells = Array.from({ length: 64 }, (_, cell) => (cell < 8 ? cell % 2 : null));
    assert.deepEqual(reversi.squares({ cells, black: 1 }, []).map(({ squares }) => squares).slice(0, 2),
      ["⚪⚫⚪⚫⚪⚫⚪⚫", "🟩".repeat(8)]);
    const last = Array.from({ length: 42 }, (_, cell) => (cell === 41 ? 0 : cell === 40 ? 1 : null));
    assert.equal(four.squares({ cells: last }, []).at(-1)?.squares, "◽◽◽◽◽🔶🟣");
  });

  test("tells seats and empty places apart without their colours", () => {
    // Characters with one shape in several colours.
    const shapes = ["🔴🟠🟡🟢🔵🟣🟤⚫⚪", "🟥🟧🟨🟩🟦🟪🟫⬛⬜", "🔶🔷🔸🔹", "🔺🔻", "💚💙💜💛🧡🤍🖤🤎"].map((row) => [...row]);
    const signs = [NOTHING, ...Array.from({ length: 8 }, (_, seat) => squareOf(seat))];
    const looks = signs.map((sign) => shapes.findIndex((shape) => shape.includes(sign))).filter((shape) => shape >= 0);
    assert.equal(new Set(looks).size, looks.length, signs.join(""));
    assert.equal(new Set(signs).size, signs.length);
  });

  test("shows each player's sign before the name, if it has rows", () => {
    const { state } = ended(), [[, zero], [, one]] = state.room.results.map(({ seat, player }) => [seat, player]).sort();
    const names = { ...state.names, [zero]: "Ann", [one]: "Ben" };
    const scores = (game, view, rows = [{ squares: "" }]) => {
      const said = resultText(/** @type {any} */ ({ ...state, names, view, room: { ...state.room, game } }), rows, "");
      return said.split("\n").slice(2, 4).map((line) => line.replace(/^[🥇🥈] | -?\d+$/gu, "")).sort();
    };
    assert.deepEqual(scores("memory", state.view), ["🔶 Ben", "🟣 Ann"].sort());
    assert.deepEqual(scores("connect-four", { cells: [] }), ["🔶 Ben", "🟣 Ann"].sort());
    assert.deepEqual(scores("reversi", { black: 1 }), ["⚪ Ann", "⚫ Ben"].sort());
    assert.deepEqual(scores("reversi", { black: 1 }, []), ["Ann", "Ben"]);
  });

  test("names the winner and the players for people who were not there", () => {
    const { state } = ended(), winner = state.room.results.find(({ place }) => place === 1);
    const seen = { ...state, you: { isHost: true, player: winner.player } };
    assert.equal(summary(/** @type {any} */ (seen)).title, `${state.names[winner.player]} wins!`);
    const said = resultText(/** @type {any} */ (seen), [{ seat: 0, squares: "🟣" }, { seat: 0, squares: "◽" }], "LINK");
    assert.deepEqual(said.split("\n").slice(-5), ["Ann", "🟣", "◽", "", "LINK"]);
    assert.match(said, /^Flipside · Memory\n/);
  });

  test("has medals only if the end has some, and a number from the fourth place on", () => {
    const { state } = ended(), scores = (room) =>
      resultText(/** @type {any} */ ({ ...state, room: { ...state.room, ...room } }), [], "").split("\n").slice(2, -3);
    for (const reason of ["stalled", "left", "closed"]) {
      assert.deepEqual(scores({ reason }).filter((line) => !/^(Ann|Ben) -?\d+$/.test(line)), [], reason);
    }
    const results = [1, 2, 3, 4].map((place) => ({ ...state.room.results[0], place, score: 9 - place }));
    assert.deepEqual(scores({ results }).map((line) => line.split(" ")[0]), ["🥇", "🥈", "🥉", "4."]);
  });

  test("names who has played, not who sits there now", () => {
    const { state } = ended(), seats = [{ seat: 0, player: "cid" }, state.room.seats[1]];
    const later = { ...state, room: { ...state.room, seats, status: "ended" }, names: { ...state.names, cid: "Cid" } };
    const said = resultText(/** @type {any} */ (later), [{ seat: 0, squares: "🟣" }], "LINK");
    assert.deepEqual(said.split("\n").slice(-4, -2), ["Ann", "🟣"]);
  });

  test("keeps names from right to left in place", () => {
    const { state } = ended(), names = Object.fromEntries(Object.keys(state.names).map((player) => [player, "علي 1"]));
    const said = resultText(/** @type {any} */ ({ ...state, names }), [{ seat: 0, squares: "🟣" }], "");
    assert.equal(said.split("علي 1").length, said.split("\u2068علي 1\u2069").length, said);
    assert.ok(summary(/** @type {any} */ ({ ...state, names })).lines.every(({ name }) => name === "\u2068علي 1\u2069"));
  });
});

describe("Games won in a series", () => {
  const HOURS = 3_600_000;
  const end = (t, reason = "finished", places = [1, 2], more = {}) => (
    { type: "game-ended", t, reason, results: places.map((place, seat) => ({ player: `p${seat}`, place, ...more })) });
  const fold = (...ends) => ends.reduce((room, one) => winsAfter(room, /** @type {any} */ (one)), /** @type {any} */ ({}));

  for (const [name, ends, wins] of /** @type {[string, any[], any][]} */ ([
    ["are counted for a single winner", [end(0), end(1)], { p0: 2 }],
    ["start again after a pause of over 12 hours", [end(0), end(12 * HOURS), end(24 * HOURS + 1)], { p0: 1 }],
    ["are not counted for a draw", [end(0, "finished", [1, 1])], undefined],
    ["are not counted for a player alone", [end(0, "finished", [1])], undefined],
    ["are not counted for a stalled or restarted game", [end(0, "stalled"), end(0, "restart")], undefined],
    ["are not counted for a player who left", [end(0, "finished", [1, 2], { left: true })], undefined],
  ])) test(name, () => assert.deepEqual(fold(...ends).wins, wins));

  test("are over 12 hours after the last end, even without another game", () => {
    const state = /** @type {any} */ ({ room: fold(end(0)) });
    assert.equal(ofThisSeries(state, 12 * HOURS), state);
    assert.deepEqual(ofThisSeries(state, 12 * HOURS + 1).room, {});
    const none = /** @type {any} */ ({ room: {} });
    assert.equal(ofThisSeries(none, 1), none);
  });

  test("of more players than are counted are kept only for those who play", () => {
    const wins = Object.fromEntries(Array.from({ length: 100 }, (_, one) => [`old${one}`, 1]));
    assert.deepEqual(winsAfter(/** @type {any} */ ({ wins, winsUntil: 9 }), /** @type {any} */ (end(1))).wins, { p0: 1 });
  });
});

describe("The personal best", () => {
  beforeEach(() => storage.shared.clear());

  for (const [name, result, isBest] of /** @type {[string, any, boolean][]} */ ([
    ["a higher score", { score: 9, turns: 9, time: 9 }, true], ["fewer turns", { score: 8, turns: 3, time: 9 }, true],
    ["less time", { score: 8, turns: 4, time: 4 }, true], ["the same again", { score: 8, turns: 4, time: 5 }, false],
    ["a lower score in less", { score: 7, turns: 1, time: 1 }, false],
  ])) {
    test(`is beaten by ${name}: ${isBest}`, () => {
      assert.equal(noteBest("ann", "memory/pairs-2x3", { score: 8, turns: 4, time: 5 }), null);
      assert.equal(noteBest("ben", "memory/pairs-2x3", { score: 9, turns: 4, time: 5 }), null);
      assert.equal(noteBest("ann", "memory/pairs-2x3", result) !== null, isBest);
    });
  }

  /** Ends on one board, in which Ann has this score and place among these players. */
  const end = (score, place, ...others) => /** @type {any} */ ({
    game: "memory", mode: "easy-2x5", reason: "finished",
    results: [{ player: "ann", score, place, turns: 5, time: 9 },
      ...others.map((player) => ({ player, score: 5, place: 3 - place, ...(player.startsWith("bot") && { bot: "1" }) }))],
  });
  for (const [name, ends, isBest] of /** @type {[string, any[], boolean][]} */ ([
    ["alone, and alone again", [end(5, 1), end(6, 1)], true],
    ["alone after a game with a computer", [end(5, 1, "bot-1"), end(6, 1)], false],
    ["against a computer, whether it was lost or not", [end(3, 1, "bot-1"), end(4, 2, "bot-1")], true],
    ["among people after a game alone", [end(5, 1), end(6, 1, "ben")], false],
    ["among people", [end(5, 1, "ben"), end(6, 1, "ben", "bot-2")], true],
    ["lost among people", [end(3, 2, "ben"), end(4, 2, "ben")], false],
    ["unfinished", [end(5, 1), { ...end(6, 1), reason: "left" }], false],
  ])) {
    test(`is kept for each kind of opponent: ${name}: ${isBest}`, () => {
      assert.deepEqual(ends.map((one) => noteOwnBest(one, "ann")), [false, isBest]);
      assert.equal(noteOwnBest(ends[1], undefined), false);
    });
  }
});
