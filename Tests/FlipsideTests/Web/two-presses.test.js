// @ts-check
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { moves } from "../../../web/pages/room-moves.js";

/** A game in which a move takes a source, target 0 to 3, and then a place, 4 to 7; source 3 needs no place. */
const twoPresses = /** @type {any} */ ({
  ...games["connect-four"],
  mayMove: ({ awaited }, seat) => awaited.includes(seat),
  move: (target, _, { chosen, hand }) => {
    if (target < 3) return null;
    return target === 3 ? { type: "put", source: 3 } : { type: "put", source: chosen, place: target, of: hand.cards };
  },
  whyNot: (_, target, { chosen, hand }) => {
    if (target < 4) return hand?.cards.includes(target) ? "" : "not held";
    return chosen === undefined ? "choose first" : "";
  },
});

const seats = [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }];

/** Ann's page in such a game, with what it sent, and what it said about presses. */
function page() {
  const sent = /** @type {any[]} */ ([]), said = /** @type {[number, string][]} */ ([]);
  let answer = (_) => {}, drawn = 0;
  const room = /** @type {any} */ ({
    lineState: "open", hubTime: 0,
    state: {
      room: { game: "two-presses", status: "running", players: seats, seats }, view: { seats: [0, 1], awaited: [0] },
      you: { player: "ann", seat: 0 }, names: {}, hand: { cards: [0, 1, 3] },
    },
    command: (type, fields) => {
      sent.push({ type, ...fields });
      return new Promise((settle) => { answer = settle; });
    },
  });
  const moving = moves(room, () => { drawn += 1; }, (target, why) => said.push([target, why]));
  const settle = async (message = { type: "ok" }) => {
    answer(message);
    await new Promise((done) => setImmediate(done));
  };
  return { room, moving, sent, said, settle, get drawn() { return drawn; } };
}

describe("A move of two presses", () => {
  beforeEach(() => { games["two-presses"] = twoPresses; });
  afterEach(() => { delete games["two-presses"]; });

  test("is sent by the second one, with what the first has chosen", async () => {
    const { moving, sent, settle } = page();
    moving.move(1);
    assert.deepEqual([moving.chosen, sent], [1, []]);
    moving.move(5);
    assert.deepEqual(sent, [{ type: "put", source: 1, place: 5, of: [0, 1, 3] }]);
    assert.deepEqual([[...moving.asked], moving.chosen], [[5], 1]);
    await settle();
    assert.deepEqual([[...moving.asked], moving.chosen], [[], undefined]);
  });

  test("may take one press, and chooses nothing then", () => {
    const { moving, sent } = page();
    moving.move(3);
    assert.deepEqual([sent, moving.chosen], [[{ type: "put", source: 3 }], undefined]);
  });

  test("needs the first press, which must be possible itself", () => {
    const { moving, sent, said } = page();
    moving.move(5);
    moving.move(2);
    assert.deepEqual(said, [[5, "choose first"], [2, "not held"]]);
    assert.deepEqual([moving.chosen, sent], [undefined, []]);
  });

  test("takes another choice, and drops it if it is pressed again", () => {
    const { moving, sent } = page();
    moving.move(0);
    moving.move(1);
    assert.equal(moving.chosen, 1);
    moving.move(1);
    assert.deepEqual([moving.chosen, sent], [undefined, []]);
  });

  test("drops its choice by Escape, which is free for others if there is none", () => {
    const one = page();
    assert.equal(one.moving.drop(), false);
    one.moving.move(0);
    const { drawn } = one;
    assert.deepEqual([one.moving.drop(), one.moving.chosen, one.drawn], [true, undefined, drawn + 1]);
  });

  test("loses a choice that has become impossible, but not in the middle of a commit", () => {
    for (const change of [{ hand: { cards: [1] } }, { hand: undefined }, { view: { seats: [0, 1], awaited: [1] } }]) {
      const { room, moving } = page(), { state } = room;
      moving.move(0);
      room.state = { ...state, ...change, more: true };
      assert.equal(moving.chosen, 0);
      room.state = { ...state, ...change };
      assert.equal(moving.chosen, undefined);
      room.state = state;
      assert.equal(moving.chosen, undefined);
    }
  });

  test("loses its choice to another player or game, even in the middle of a commit", () => {
    for (const change of [{ you: { player: "ben", seat: 1 } }, { room: { gameNumber: 2 } }]) {
      const { room, moving } = page(), { state } = room;
      moving.move(0);
      room.state = { ...state, ...change, room: { ...state.room, ...change.room }, more: true };
      assert.equal(moving.chosen, undefined);
    }
  });

  test("is sent by a second press of its choice if that has come to need no other", () => {
    const { room, moving, sent } = page();
    moving.move(0);
    games["two-presses"] = { ...twoPresses, move: (target) => ({ type: "put", source: target }) };
    room.state = { ...room.state };
    moving.move(0);
    assert.deepEqual(sent, [{ type: "put", source: 0 }]);
  });

  test("keeps its choice after an error, for another try", async () => {
    const { moving, sent, settle } = page();
    moving.move(0);
    moving.move(4);
    await settle(/** @type {any} */ ({ type: "error", code: "too-many-messages", message: "Too many." }));
    assert.equal(moving.chosen, 0);
    moving.move(5);
    assert.deepEqual(sent.map(({ source, place }) => [source, place]), [[0, 4], [0, 5]]);
  });

  test("is not followed by another before its answer", async () => {
    const { moving, sent, said, settle } = page();
    moving.move(0);
    moving.move(4);
    for (const target of [0, 1, 3, 4, 5]) moving.move(target);
    assert.equal(sent.length, 1);
    assert.deepEqual(new Set(said.slice(2).map(([, why]) => why)), new Set([said[2][1]]));
    assert.equal(moving.drop(), false);
    await settle(/** @type {any} */ ({ type: "error", code: "not-your-turn", message: "It is not your turn." }));
    moving.move(1);
    assert.equal(moving.chosen, 1);
  });
});
