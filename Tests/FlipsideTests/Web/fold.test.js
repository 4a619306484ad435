// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { fold, open } from "../../../web/games/room.js";
import { Timeline } from "../../../web/games/timeline.js";
import { whoOfSeat } from "../../../web/views/names.js";
import { caption, mayMove, statusLine, whyNot } from "../../../web/views/status-line.js";

/**
 * A room as the hub logged it, with the welcomes of spectators at those versions: three players, seats freed and taken,
 * options changed, expired turns, a player away and back, downtime, one who left, two games, the end.
 */
const recorded = JSON.parse(readFileSync(new URL("recorded-room.json", import.meta.url), "utf8"));
const you = { isHost: false };

const welcome = (told) => ({ type: "welcome", you, names: {}, presence: { players: [], spectators: 0 }, ...told });
const from = (told) => recorded.events.filter(({ v }) => v > told.version).reduce(fold, fold(null, welcome(told)));
const seen = ({ version, room, view }) => ({ version, room, view });

describe("The fold of the public events", () => {
  const first = recorded.welcomes[0];
  let state = fold(null, welcome(first));
  const states = new Map([[first.version, state]]);
  for (const event of recorded.events) {
    if (event.v <= first.version) continue;
    state = fold(state, event);
    states.set(event.v, state);
  }

  for (const told of recorded.welcomes) {
    const { type } = recorded.events[told.version - 1];
    test(`equals the hub's welcome at version ${told.version}, after ${type}`, () => {
      assert.deepEqual(seen(states.get(told.version)), seen(told));
    });
  }

  test("has the same end wherever it starts", () => {
    const end = seen(state);
    for (const told of recorded.welcomes) assert.deepEqual(seen(from(told)), end);
  });

  test("knows no face that was not shown", () => {
    for (const { view } of states.values()) {
      for (const card of view?.cells ?? []) assert.equal(card.face !== undefined, ["up", "won"].includes(card.state));
    }
  });

  test("never changes the state it is given", () => {
    const deepFreeze = (value) => {
      if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(deepFreeze);
      return value;
    };
    recorded.events.slice(first.version).reduce(
      (state, event) => fold(deepFreeze(state), deepFreeze(structuredClone(event))), fold(null, welcome(first)));
  });

  test("returns to the state before a deal that the game's fault ended", () => {
    const room = { game: "memory", status: "waiting", seats: [{ seat: 0, player: "a" }], gameNumber: 0 };
    const waiting = fold(null, welcome({ version: 1, room, view: null }));
    const fixed = { number: 1, options: {}, seats: [{ seat: 0, player: "a" }], first: 0, awaited: [0], deadline: 9 };
    const end = { results: [], reason: "fault", reveal: { seed: "00", nonces: [] }, commitment: "11" };
    const after = (state) => [
      { v: state.version + 1, t: 0, type: "dealing", ...fixed, number: state.room.gameNumber + 1 },
      { v: state.version + 2, t: 0, type: "game-ended", game: "memory", mode: "", number: state.room.gameNumber + 1, ...end },
    ].reduce(fold, state);
    assert.deepEqual(after(waiting).room, { ...room, ...end, gameNumber: 1 });
    assert.equal(statusLine(after(waiting)), "An error ended the game.");
    // After an earlier game, that one is still to be shown.
    const { view, room: ended } = after({ ...state, room: { ...state.room, status: "ended" } });
    assert.deepEqual(view, state.view);
    assert.equal(ended.status, "ended");
    assert.equal(ended.dealing, undefined);
    assert.equal(ended.gameNumber, state.room.gameNumber + 1);
  });

  test("is in the middle of a commit while more of its events follow, and no one has the turn there", () => {
    const upTo = (v) => recorded.events.slice(first.version, v).reduce(fold, fold(null, welcome(first)));
    const hidden = recorded.events.find(({ type, more }) => type === "hide-card" && more).v;
    const { mover } = upTo(hidden).view, { player } = upTo(hidden).room.seats[mover];
    const as = (state) => ({ ...state, you: { player, seat: mover, isHost: false } });
    // By the game alone it would be this player's move again.
    assert.deepEqual([upTo(hidden).more, upTo(hidden).view.up, mayMove(as(upTo(hidden)))], [true, [], false]);
    assert.equal(mayMove(as(upTo(hidden - 2))), true);
    assert.equal("more" in upTo(hidden + 1), false);
    assert.equal(fold(upTo(hidden), { type: "presence", came: [], went: [], names: {}, spectators: 0 }).more, true);
    assert.equal("more" in fold(upTo(hidden), welcome(first)), false);
  });

  test("ignores events of a kind that it does not know, but counts them", () => {
    const next = fold(state, { v: state.version + 1, t: 0, type: "something-new", cell: 3 });
    assert.deepEqual(seen(next), { ...seen(state), version: state.version + 1 });
  });
});

describe("The viewer's hand", () => {
  const cards = { cards: ["3♠", "K♥"] }, told = (hand, seat = 1) => ({ type: "hand", v: 9, seat, hand });
  const start = fold(null, welcome({ version: 9, room: { ...recorded.welcomes[0].room, game: "go" }, view: null,
    you: { player: "ben", seat: 1, isHost: false } }));
  const held = fold(start, told(cards));
  const event = (fields) => fold(held, { v: 10, t: 0, ...fields });

  test("comes with a message that is no event", () => {
    assert.deepEqual([start.hand, held.hand, held.version], [undefined, cards, 9]);
    assert.deepEqual(fold(held, told({ cards: [] })).hand, { cards: [] });
  });

  test("stays with other messages, and events of others", () => {
    const { you } = start, resume = { type: "resume", version: 9, head: "", now: 0, you, names: {}, chat: [] };
    assert.deepEqual(fold(held, { ...resume, presence: { players: [], spectators: 0 } }).hand, cards);
    for (const fields of [{ type: "turn", seat: 0, more: true }, { type: "player-left", seat: 0, result: {} }]) {
      assert.deepEqual(event(fields).hand, cards);
    }
  });

  test("is dropped by a resume as another player", () => {
    const presence = { players: [], spectators: 0 };
    const resume = { type: "resume", version: 9, head: "", now: 0, names: {}, chat: [], presence };
    assert.equal("hand" in fold(held, { ...resume, you: { ...start.you, player: "else", seat: 0 } }), false);
  });

  test("of another seat is ignored", () => assert.equal(fold(held, told({ cards: ["A♠"] }, 0)), held));

  for (const [what, state] of /** @type {[string, any][]} */ ([
    ["another greeting", fold(held, welcome({ version: 9, room: start.room, view: null, you: start.you }))],
    ["a game that begins", event({ type: "game-started", number: 2, options: {}, seats: [], first: 0 })],
    ["the game's end", event({ type: "game-ended", number: 1, results: [], reason: "finished" })],
    ["the player's departure", event({ type: "player-left", seat: 1, result: {} })],
  ])) test(`ends with ${what}`, () => assert.equal("hand" in state, false));
});

describe("Who you are", () => {
  const room = { ...recorded.welcomes[0].room, host: "ann" };
  const start = fold(null, welcome({ version: 1, room, view: null, you: { player: "ben", isHost: false } }));
  const rows = [
    ["seated", [{ type: "seat-taken", seat: 2, player: "ben" }], { seat: 2, isHost: false }],
    ["not from another player sitting down", [{ type: "seat-taken", seat: 2, player: "cleo" }], { isHost: false }],
    ["the host", [{ type: "host-changed", player: "ben" }], { isHost: true }],
  ];
  for (const [name, events, expected] of /** @type {any[]} */ (rows)) {
    test(`follows from the events: ${name}`, () => {
      const { you } = events.reduce((state, event, index) => fold(state, { v: index + 2, t: 0, ...event }), start);
      assert.deepEqual({ ...you, seat: you.seat }, { player: "ben", seat: undefined, ...expected });
    });
  }
});

test("Only the hub says who is here, even when players change seats", () => {
  const { room } = recorded.welcomes[0], presence = { players: ["ben"], spectators: 2 };
  const { you } = fold(null, welcome({ version: 1, room, view: null }));
  const start = fold(fold(null, welcome({ version: 1, room, view: null })),
    { type: "resume", version: 5, head: "", now: 0, you, names: {}, chat: [], presence });
  // Cleo has left since: missed events come after the greeting.
  const events = [
    { type: "seat-taken", seat: 0, player: "ben" }, { type: "seat-taken", seat: 1, player: "cleo" },
    { type: "seat-freed", seat: 0, player: "ben" }, { type: "seat-freed", seat: 1, player: "cleo" },
  ];
  events.reduce((state, event, index) => {
    const next = fold(state, { v: index + 2, t: 0, ...event });
    assert.deepEqual(next.presence, presence);
    return next;
  }, start);
});

test("Who is here follows from a greeting and the messages after it", () => {
  const { room } = recorded.welcomes[0];
  const there = (...players) => ({ players, spectators: players.length });
  const start = fold(null, welcome({ version: 1, room, view: null, presence: there("ben", "cleo") }));
  assert.deepEqual(start.presence, there("ben", "cleo"));
  const next = fold(start, { type: "presence", came: ["ann", "ben"], went: ["cleo", "dee"], names: {}, spectators: 2 });
  assert.deepEqual(next.presence, there("ann", "ben"));
  const { you } = start, resume = { type: "resume", version: 1, head: "", now: 0, you, names: {}, chat: [] };
  assert.deepEqual(fold(next, { ...resume, presence: there("eve") }).presence, there("eve"));
});

test("A seated player's name is known from when the hub sends it to when it removes it", () => {
  const { room } = recorded.welcomes[0];
  const start = fold(null, welcome({ version: 1, room, view: null }));
  const seated = fold(start, { v: 2, t: 0, type: "seat-taken", seat: 0, player: "ben" });
  assert.equal(seated.names.ben, "…");
  const told = fold(seated, { type: "presence", came: ["ben"], went: [], names: { ben: "Ben" }, spectators: 0 });
  assert.equal(told.names.ben, "Ben");
  const forgotten = fold(told, { type: "presence", came: [], went: ["ben"], names: { ben: null }, spectators: 0 });
  assert.equal("ben" in forgotten.names, false);
});

test("An outage moves the clock of a running game, and of no other", () => {
  const { room, view } = recorded.welcomes.find(({ view }) => view?.deadline !== undefined);
  const extended = { v: 100, t: 0, type: "clock-extended", ms: 500, until: 0 };
  const after = (status) => fold(fold(null, welcome({ version: 99, room: { ...room, status }, view })), extended).view;
  assert.equal(after("running").deadline, view.deadline + 500);
  assert.deepEqual(after("ended"), view);
});

describe("The player of a seat", () => {
  const names = { ann: "Ann", ben: "Ben", cleo: "Cleo" }, at = (player) => [{ seat: 0, player }];
  for (const [what, room, expected] of /** @type {[string, any, string][]} */ ([
    ["is who sits there", { seats: at("ann") }, "Ann"],
    ["is who sat there when the game began", { status: "running", players: at("ann"), seats: at("ben") }, "Ann"],
    ["is who sits there now, once it is over", { status: "ended", players: at("ann"), seats: at("ben") }, "Ben"],
    ["is that of the next game, while it is dealt",
      { status: "dealing", dealing: { seats: at("cleo") }, players: at("ann"), seats: at("ben") }, "Cleo"],
    ["is unknown", { seats: [{ seat: 0 }] }, "Someone"],
  ])) test(what, () => assert.equal(whoOfSeat({ room, names, you: {} }, 0).name, expected));
});

describe("The seats of a room", () => {
  const opened = (game, options) => ({
    v: 1, t: 0, type: "room-opened", game, options, visibility: "public", host: "ann",
  });
  /** The room after each of these requests, as in `options-changed`. */
  const after = (game, [first, ...rest]) => rest.reduce(
    (state, options, index) => fold(state, { v: index + 2, t: 0, type: "options-changed", options }),
    open("k3m7pq", opened(game, first)));
  for (const [game, { seats: [, most] }] of Object.entries(games)) {
    for (const [what, options, expected] of /** @type {[string, any[], number][]} */ ([
      ["are the game's most by default", [{}], most],
      ["are those requested", [{ seats: 2 }], 2],
      ["are the game's most again once the request is withdrawn", [{ seats: 2 }, {}], most],
      ["stay as requested while other options change", [{}, { seats: 2 }, { seats: 2, turnTime: 5 }], 2],
      ["are the game's most while other options change", [{}, { turnTime: 5 }, {}], most],
    ])) {
      test(`${what}: ${game}`, () => {
        const { room } = after(game, options);
        assert.deepEqual(room.seats, Array.from({ length: expected }, (_, seat) => ({ seat })));
      });
    }
  }

  test("keep their players when there are more or fewer, and a new one can be taken", () => {
    const seated = [{ seats: 3 }, {}].reduce((state, options) => {
      const { version } = state;
      const taken = fold(state, { v: version + 1, t: 0, type: "seat-taken", seat: 1, player: "ben" });
      return fold(taken, { v: version + 2, t: 0, type: "options-changed", options });
    }, open("k3m7pq", opened("memory", { seats: 2 })));
    const { room } = fold(seated, { v: 9, t: 0, type: "seat-taken", seat: 5, player: "cleo" });
    assert.deepEqual(room.seats.map(({ player }) => player ?? ""), ["", "ben", "", "", "", "cleo", "", ""]);
  });
});

describe("A game that this page does not know", () => {
  const seats = [{ seat: 0, player: "ann" }, { seat: 3, player: "ben" }];
  const started = { number: 1, options: { seats: 4, turnTime: 0 }, board: { size: 9 }, seats, first: 0 };
  const end = { game: "go", mode: "9x9", number: 1, reason: "finished", results: [
    { seat: 0, player: "ann", score: 1, place: 1, time: 5 }, { seat: 3, player: "ben", score: 0, place: 2, time: 5 },
  ] };
  const events = /** @type {any[]} */ ([
    { type: "room-opened", game: "go", options: {}, visibility: "public", host: "ann" },
    { type: "seat-taken", ...seats[0] }, { type: "seat-taken", ...seats[1] },
    { type: "options-changed", options: { turnTime: 0 } }, { type: "game-started", ...started },
    { type: "turn", seat: 0, deadline: 900 }, { type: "put-stone", seat: 0, cell: 4, taken: [] },
    { type: "turn", seat: 3, deadline: 999 }, { type: "clock-extended", ms: 10, until: 0 },
    { type: "turn", seat: 0 }, { type: "turns", seats: [0, 3], deadline: 1_200 }, { type: "turns", seats: [0, 3] },
    { type: "game-ended", ...end }, { type: "room-closed" },
  ]).map((event, index) => ({ v: index + 1, t: index, ...event }));
  const timeline = new Timeline("k3m7pq", "ann");
  for (const event of events) timeline.add(event);
  const at = (type, count = 1) => timeline.at(events.filter((event) => event.type === type)[count - 1].v);

  test("is folded as far as possible for any game", () => {
    const view = { options: started.options, seats: [0, 3], awaited: [0] };
    assert.deepEqual(at("game-started").view, view);
    assert.deepEqual(at("turn").view, { ...view, deadline: 900 });
    assert.deepEqual(at("put-stone").view, { ...view, deadline: 900 });
    assert.deepEqual(at("clock-extended").view, { ...view, awaited: [3], deadline: 1_009 });
    assert.deepEqual(at("turn", 3).view, view);
    assert.deepEqual(at("turns").view, { ...view, awaited: [0, 3], deadline: 1_200 });
    assert.deepEqual(at("turns", 2).view, { ...view, awaited: [0, 3] });
    assert.deepEqual([at("game-ended").room.status, at("room-closed").room.status], ["ended", "closed"]);
  });

  test("loses no seat, though their number is unknown", () => {
    for (const type of ["seat-taken", "options-changed", "game-ended"]) {
      const { seats } = at(type, type === "seat-taken" ? 2 : 1).room;
      assert.deepEqual(seats, [{ seat: 0, player: "ann" }, { seat: 1 }, { seat: 2 }, { seat: 3, player: "ben" }]);
    }
  });

  test("is shown by the fields that any game's welcome has", () => {
    const { room } = at("turn"), view = { options: {}, seats: [0, 3], awaited: [3], deadline: 7, stones: [1] };
    const shown = fold(null, welcome({ version: 9, room, view }));
    assert.deepEqual(shown.view, { options: {}, seats: [0, 3], awaited: [3], deadline: 7 });
    assert.equal(fold(null, welcome({ version: 9, room, view: null })).view, null);
  });

  test("has a status line with whose turn it is, and no moves", () => {
    const state = at("turn");
    assert.deepEqual([statusLine(state), caption(state), mayMove(state)], ["Your turn", "", false]);
    assert.match(whyNot(state, 4), /^This page can’t show this game/);
  });
});
