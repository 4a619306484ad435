// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cuesOf } from "../../../web/sound/cues.js";
import { cuesOf as ofMemory } from "../../../web/games/memory/sounds.js";
import { fold } from "../../../web/games/room.js";

const seats = [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }];
const room = { code: "k3m7pq", game: "memory", options: {}, host: "ann", status: "waiting", seats, gameNumber: 0 };
const board = { columns: 2, rows: 3, pairs: 3 };
const options = { rule: "pairs", reveal: 1_000, turnTime: 0, matched: "stay" };
const started = { type: "game-started", number: 1, options, board, theme: { name: "x", colour: [] }, seats, first: 0 };
const scores = { 0: 1, 1: 0 };
const result = (seat, place) => ({ seat, player: seats[seat].player, score: 0, place });
const ended = { type: "game-ended", reason: "finished", results: [result(0, 1), result(1, 2)] };
const show = (cell, face, seat = 0) => ({ type: "show-card", cell, face, seat });
const start = [started, { type: "turn", seat: 0 }];

/** What `player` hears at the last of `events`. */
function heard(player, events, game = "memory") {
  let before = null, state = fold(null, {
    type: "welcome", version: 1, presence: { players: [], spectators: 0 }, you: { player, isHost: false, seat: seats.find((one) => one.player === player)?.seat },
    names: {}, chat: [], room: { ...room, game }, view: null,
  });
  events.forEach((event, index) => {
    before = state;
    state = fold(state, event.type === "reaction" ? event : { v: index + 2, t: index, ...event });
  });
  return cuesOf(events.at(-1), before, state, ofMemory).map(({ cue }) => cue);
}

describe("What one hears", () => {
  for (const [name, player, events, cues] of /** @type {[string, string, any[], string[]][]} */ ([
    ["of the first card: a flip", "ben", [...start, show(0, "a")], ["flip"]],
    ["of a second one that differs: a miss", "ben", [...start, show(0, "a"), show(1, "b")], ["flip", "mismatch"]],
    ["of a second one like it: only a flip, since the pair has its own sound", "ann", [...start, show(0, "a"), show(1, "a")],
      ["flip"]],
    ["of a pair", "carl", [...start, show(0, "a"), show(1, "a"), { type: "match", cells: [0, 1], seat: 0, scores }],
      ["match"]],
    ["of the first turn, by its player", "ann", start, ["turn"]],
    ["of another's turn: nothing", "ben", start, []],
    ["of a turn, by a spectator: nothing", "carl", start, []],
    ["of continuing after a pair: nothing", "ann", [...start, show(0, "a"), show(1, "a"),
      { type: "match", cells: [0, 1], seat: 0, scores }, { type: "turn", seat: 0 }], []],
    ["of the turn coming round", "ben", [...start, show(0, "a"), show(1, "b"),
      { type: "hide-card", cells: [0, 1], scores }, { type: "turn", seat: 1 }], ["turn"]],
    ["of an end, by the winner", "ann", [...start, ended], ["win"]],
    ["of an end, by the loser", "ben", [...start, ended], ["end"]],
    ["of a game that stalled, by the leader: no fanfare", "ann", [...start, { ...ended, reason: "stalled" }], ["end"]],
    ["and by a spectator", "carl", [...start, { ...ended, reason: "stalled" }], ["end"]],
    ["of a restarted game: nothing", "ann",
      [...start, { ...ended, reason: "restart" }], []],
    ["of an end by the game's own fault: no win", "ann",
      [...start, { type: "game-ended", reason: "fault", results: [] }], ["end"]],
    ["of a reaction", "ben", [{ type: "reaction", from: "ann", emoji: "👏" }], ["reaction"]],
  ])) test(name, () => assert.deepEqual(heard(player, events), cues));

  const [drawn, dropped] = [{ size: 3 }, {}].map((options) => [{ ...started, options }, { type: "turn", seat: 0 }]);
  const draw = (line, boxes) => ({ type: "draw-line", seat: 0, line, ...(boxes && { boxes }) });
  for (const [name, game, player, events, cues] of /** @type {[string, string, string, any[], string[]][]} */ ([
    ["of the turn after another's disc", "connect-four", "ben",
      [...dropped, { type: "drop-disc", seat: 0, cell: 38 }, { type: "turn", seat: 1 }], ["turn"]],
    ["of the turn after another's line", "dots-and-boxes", "ben", [...drawn, draw(0), { type: "turn", seat: 1 }], ["turn"]],
    ["of drawing again after a box: nothing", "dots-and-boxes", "ann",
      [...drawn, draw(0, [0]), { type: "turn", seat: 0 }], []],
  ])) test(name, () => assert.deepEqual(heard(player, events, game), cues));
});

describe("What a player hears who waits for others", () => {
  const waiting = { ...room, seats: [{ seat: 0, player: "ann" }, { seat: 1 }] };
  const taken = (player, rest = {}) => ({ type: "seat-taken", seat: 1, player, v: 2, t: 1, ...rest });
  const here = (...came) => ({ type: "presence", came, went: [], spectators: 0, names: {} });
  const cues = (message, status = "waiting", player = "ann") => {
    const before = fold(null, {
      type: "welcome", version: 1, you: { player, isHost: true, seat: 0 }, names: {}, chat: [],
      presence: { players: ["ann"], spectators: 0 }, room: { ...waiting, status },
      view: null,
    });
    return cuesOf(message, before, fold(before, message)).map(({ cue }) => cue);
  };
  for (const [name, heard, expected] of /** @type {[string, string[], string[]][]} */ ([
    ["of a person who sits down", cues(taken("ben")), ["arrival"]],
    ["of a person who comes", cues(here("ben")), ["arrival"]],
    ["of one who comes while a game is on: nothing", cues(here("ben"), "running"), []],
    ["of a computer: nothing", cues(taken("bot-1", { bot: "easy" })), []],
    ["of oneself: nothing", cues(taken("ben"), "waiting", "ben"), []],
    ["of someone leaving: nothing", cues(here()), []],
  ])) test(name, () => assert.deepEqual(heard, expected));
});
