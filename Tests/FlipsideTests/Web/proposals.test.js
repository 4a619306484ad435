// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { fold } from "../../../web/games/room.js";
import { sentenceOf } from "../../../web/views/announcer.js";
import { outcome, waitingFor } from "../../../web/views/proposal.js";
import { losesByRestart } from "../../../web/views/status-line.js";

/** Ann's page after a game with Ben, whose seat Cid has now. */
const state = (more = {}) => /** @type {any} */ ({
  you: { player: "ann", isHost: true, seat: 0 }, version: 20, view: { seats: [0, 1], awaited: [0] },
  names: { ann: "Ann", ben: "Ben", cid: "Cid" }, presence: { players: ["ann", "ben", "cid"], spectators: 0 },
  room: {
    code: "k3m7pq", status: "ended", game: "reversi", host: "ann", reason: "finished", results: [],
    players: [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }],
    seats: [{ seat: 0, player: "ann" }, { seat: 1, player: "cid" }], ...more,
  },
});
const event = (type, fields = {}) => /** @type {any} */ ({ v: 21, t: 1, type, ...fields });
const proposal = (what, more = {}) => (
  { v: 20, what, seat: 1, player: "cid", asked: [0], agreed: [1], deadline: 30_000, ...more });

describe("A proposal to the table", () => {
  test("is by the player who sits there now, once the game is over", () => {
    const asked = event("proposed", { what: "rematch", seat: 1, player: "cid", asked: [0], deadline: 30_000 });
    assert.equal(sentenceOf(/** @type {any} */ (fold(state(), asked)), asked), "Cid wants a rematch.");
  });

  test("is by the player in the game while it runs, whoever sits there for the next", () => {
    const running = state({ status: "running", proposal: proposal("restart", { agreed: [0], asked: [1], seat: 0 }) });
    assert.equal(waitingFor(running, running.room.proposal), "Waiting for Ben");
  });

  test("names who withdrew it, even by leaving the seat", () => {
    const ended = event("proposal-ended", { reason: "withdrawn" });
    const before = state({ proposal: proposal("rematch") });
    assert.equal(outcome(ended, before, undefined), "Cid withdrew it.");
    const left = fold(before, event("seat-freed", { seat: 1, player: "cid", reason: "left" }));
    assert.equal(outcome({ ...ended, v: 22 }, /** @type {any} */ (left), undefined), "Cid withdrew it.");
  });

  test("names who refused it", () => {
    const ended = event("proposal-ended", { reason: "declined" });
    assert.equal(outcome(ended, state({ proposal: proposal("restart") }), "ben"), "Ben wants to keep playing.");
  });
});

describe("What a restart would lose without asking others", () => {
  const playing = (game, view, more = {}) => {
    const one = state({ status: "running", game, seats: state().room.players, ...more });
    return { ...one, view: { seats: [0, 1], turn: 0, ...view } };
  };
  const alone = [{ seat: 0, player: "ann" }], computer = [...alone, { seat: 1, player: "bot-1", bot: "1" }];
  const begun = { moves: "d3" };
  for (const [name, one, isLost] of /** @type {[string, any, boolean][]} */ ([
    ["is a game with a computer", playing("reversi", begun, { seats: computer, players: computer }), true],
    ["is nothing before its first move", playing("reversi", { moves: "" }, { seats: computer, players: computer }), false],
    ["is nothing if another player is asked", playing("reversi", begun), false],
    ["is a game that another player has left", playing("reversi", begun, { seats: [...alone, { seat: 1 }] }), true],
    ["is a turn", playing("memory", { turns: { 0: 1 } }, { seats: alone, players: alone }), true],
    ["is nothing before the first turn", playing("memory", { turns: { 0: 0 } }, { seats: alone, players: alone }), false],
    ["is a disc", playing("connect-four", { moves: "4" }, { seats: computer, players: computer }), true],
  ])) test(name, () => assert.equal(losesByRestart(one), isLost));

  test("is any game that does not say whether it has begun", () => {
    const { isBegun, ...rest } = games.reversi;
    games.reversi = rest;
    assert.equal(losesByRestart(playing("reversi", { moves: "" }, { seats: alone, players: alone })), true);
    games.reversi = { ...rest, isBegun };
  });
});
