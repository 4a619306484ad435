// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { sentenceOf } from "../../../web/views/announcer.js";

const PEOPLE = [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }];
const names = { ann: "Ann", ben: "Ben" };

/** A room in which `players` play a game, on Ann's page. @returns {any} */
function room(game, view, players = PEOPLE) {
  return { room: { game, status: "running", players, seats: players, host: "ann", options: {} }, view,
    you: { player: "ann", seat: 0 }, names };
}

/** A board of Memory with `pairsLeft` pairs and these scores. */
const memory = (scores, pairsLeft, more = {}) => ({ seats: Object.keys(scores).map(Number), left: [], scores, pairsLeft, awaited: [0], ...more });
const match = { type: "match", v: 9, t: 9, cells: [0, 1], seat: 0 };
const turn = { type: "turn", v: 9, t: 9, seat: 0 };
const say = (before, after, event) => sentenceOf(after, /** @type {any} */ (event), before);

describe("People who cannot see the board hear", () => {
  test("the scores and the pairs left, after a pair", () => {
    const before = room("memory", memory({ 0: 2, 1: 1 }, 6)), after = room("memory", memory({ 0: 3, 1: 1 }, 5));
    const said = say(before, after, match);
    assert.match(said, /^You found a pair\. You: 3 points, Ben: 1 point\. 5 pairs left\.$/);
  });

  test("the scores after a loss of points", () => {
    const before = room("memory", memory({ 0: 20, 1: 10 }, 6)), after = room("memory", memory({ 0: 15, 1: 10 }, 6));
    assert.match(say(before, after, { type: "hide-card", v: 9, t: 9, cells: [0, 1] }), /You: 15 points, Ben: 10 points\. 6 pairs left\.$/);
  });

  test("no unchanged scores", () => {
    const state = room("memory", memory({ 0: 2, 1: 1 }, 6));
    assert.doesNotMatch(say(state, state, { type: "hide-card", v: 9, t: 9, cells: [0, 1] }), /point|left/);
  });

  test("how many discs each has, after a move of Reversi", () => {
    const start = games.reversi.start(/** @type {any} */ ({ options: {}, seats: PEOPLE, first: 0 }));
    const event = { type: "place-disc", v: 9, t: 9, cell: start.legal[0], seat: 0, flips: [27] };
    const after = { ...start, counts: { 0: 4, 1: 1 } };
    assert.match(say(room("reversi", start), room("reversi", after), event), /You: 4 points, Ben: 1 point\.$/);
  });

  test("no scores where none are counted", () => {
    const start = games["connect-four"].start(/** @type {any} */ ({ options: {}, seats: PEOPLE, first: 0 }));
    const said = say(room("connect-four", start), room("connect-four", start), { type: "drop-disc", v: 9, t: 9, cell: 38, seat: 0 });
    assert.doesNotMatch(said, /point/);
  });

  test("whose turn it is, if others play", () => {
    const state = room("memory", memory({ 0: 0, 1: 0 }, 8));
    assert.equal(say(state, state, turn), "Your turn.");
    assert.match(say(state, state, { ...turn, seat: 1 }), /Ben/);
  });

  test("no turns if no one else plays, or plays any longer", () => {
    const alone = room("memory", memory({ 0: 0 }, 8), PEOPLE.slice(0, 1));
    assert.equal(say(alone, alone, turn), "");
    const left = room("memory", memory({ 0: 0, 1: 0 }, 8, { left: [1] }));
    assert.equal(say(left, left, turn), "");
  });

  const end = (results, reason = "finished") => ({ type: "game-ended", v: 9, t: 9, reason, results });
  const over = (game, view, event) =>
    say(room(game, view), { ...room(game, view), room: { ...room(game, view).room, status: "ended" } }, event);

  test("the places and scores when a game ends", () => {
    const said = over("memory", memory({ 0: 3, 1: 5 }, 0), end([{ seat: 0, player: "ann", place: 2, score: 3 },
      { seat: 1, player: "ben", place: 1, score: 5 }]));
    assert.match(said, /Ben.* 1\. Ben, 5 points\. 2\. You, 3 points\.$/);
  });

  test("that two share a place", () => {
    const said = over("memory", memory({ 0: 4, 1: 4 }, 0), end([{ seat: 0, player: "ann", place: 1, score: 4 },
      { seat: 1, player: "ben", place: 1, score: 4 }]));
    assert.match(said, /1\. You, 4 points\. 1\. Ben, 4 points\.$/);
  });

  test("no score of a game that counts none", () => {
    const start = games["connect-four"].start(/** @type {any} */ ({ options: {}, seats: PEOPLE, first: 0 }));
    const said = over("connect-four", start, end([{ seat: 0, player: "ann", place: 1, score: 1 },
      { seat: 1, player: "ben", place: 2, score: 0 }]));
    assert.match(said, /1\. You\. 2\. Ben\.$/);
  });

  test("their own score, after a game alone", () => {
    const alone = room("memory", memory({ 0: 8 }, 0), PEOPLE.slice(0, 1));
    const ended = { ...alone, room: { ...alone.room, status: "ended" } };
    const said = say(alone, ended, end([{ seat: 0, player: "ann", place: 1, score: 8 }]));
    assert.match(said, /8 points\.$/);
    assert.doesNotMatch(said, /1\./);
  });
});
