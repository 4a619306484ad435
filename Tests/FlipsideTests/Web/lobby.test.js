// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { modesOf, nameOfMode } from "../../../web/games/modes.js";
import { foldRooms, Lobby } from "../../../web/net/lobby.js";
import { hasRoom, passesTheTime } from "../../../web/pages/quick-play.js";
import { arrange, spread } from "../../../web/pages/wall.js";
import { ScriptedWorld } from "./scripted-world.js";

const room = (code, rest = {}) => /** @type {any} */ (
  { code, game: "memory", visibility: "seeking", status: "waiting", present: 1,
    seats: { taken: 1, computers: 0, all: 4 }, spectators: 0, ...rest });
const running = (code, rest = {}) => room(code, { status: "running", ...rest });
const codes = (rooms) => rooms.map(({ code }) => code).join();
const settled = () => new Promise((done) => setImmediate(done));

/** A list that has just been opened; `answer` is the answer by HTTP. */
function looking(answer = () => Promise.resolve([room("http")])) {
  const world = Object.assign(new ScriptedWorld(), { asked: 0 }), lists = /** @type {string[]} */ ([]);
  const ask = () => {
    world.asked += 1;
    return answer();
  };
  const lobby = new Lobby("ws://hub/ws/lobby", (rooms) => lists.push(codes(rooms)), Object.assign(world, { ask }));
  return { world, lists, lobby };
}

describe("The list of rooms", () => {
  for (const [what, message, expected] of /** @type {[string, any, string][]} */ ([
    ["is replaced by a whole one", { type: "rooms", rooms: [room("c")] }, "c"],
    ["has a new room first", { type: "room", room: room("c") }, "c,a,b"],
    ["keeps the place of a room that changes", { type: "room", room: running("b") }, "a,b"],
    ["loses a room that is gone", { type: "room-gone", code: "a" }, "b"],
    ["does not change by unknown messages", { type: "pong", n: 1 }, "a,b"],
  ])) {
    test(what, () => {
      const before = [room("a"), room("b")];
      const after = foldRooms(before, message);
      assert.equal(codes(after), expected);
      assert.equal(codes(before), "a,b");
      if (message.type === "room" && message.room.code === "b") assert.equal(after[1].status, "running");
    });
  }

  test("comes over the line, without requests while that holds", async () => {
    const { world, lists } = looking();
    world.last.open();
    world.last.say({ type: "rooms", rooms: [room("a")] });
    world.last.say({ type: "room", room: room("b") });
    for (let second = 0; second < 60; second++) {
      world.pass(1_000);
      world.last.say({ type: "pong", n: 0, now: 0 });
    }
    await settled();
    assert.deepEqual(lists, ["a", "b,a"]);
    assert.equal(world.asked, 0);
    assert.equal(world.sockets.length, 1);
  });

  test("is requested now and then while there is no line", async () => {
    const { world, lists } = looking();
    for (let attempt = 0; attempt < 4; attempt++) {
      world.last.drop();
      world.pass(4_000);
      await settled();
    }
    assert.ok(world.asked >= 2, String(world.asked));
    assert.equal(lists.at(-1), "http");
    const before = world.asked;
    world.pass(20_000);
    await settled();
    world.last.open();
    world.last.say({ type: "rooms", rooms: [room("a")] });
    const asked = world.asked;
    assert.ok(asked >= before);
    for (let beat = 0; beat < 3; beat++) {
      world.pass(8_000);
      world.last.say({ type: "pong", n: 0, now: 0 });
      await settled();
    }
    assert.equal(world.asked, asked);
    assert.equal(lists.at(-1), "a");
  });

  test("survives a hub that answers nothing at all", async () => {
    const { world, lists } = looking(() => Promise.reject(new Error("no hub")));
    world.last.drop();
    world.pass(60_000);
    await settled();
    assert.deepEqual(lists, []);
    assert.ok(world.sockets.length > 2);
  });

  test("gives up a silent line, and returns over another", () => {
    const { world } = looking();
    world.last.open();
    world.last.say({ type: "rooms", rooms: [] });
    world.pass(60_000);
    assert.ok(world.sockets.length >= 2);
    assert.equal(world.sockets[0].readyState, 3);
  });

  test("keeps a line that answers, however late a background page's timers are", () => {
    const { world } = looking();
    world.last.open();
    for (let minute = 0; minute < 5; minute++) {
      world.last.say({ type: "pong", n: 0, now: 0 });
      world.time += 60_000;
      world.pass(0);
    }
    assert.equal(world.sockets.length, 1);
  });

  test("finds a dead line soon after the page wakes up", () => {
    const { world, lobby } = looking();
    world.last.open();
    world.time += 3_600_000;
    lobby.check();
    world.pass(21_000);
    assert.equal(world.sockets.length, 2);
  });

  test("believes the browser at once about losing its network and regaining it", () => {
    const { world, lobby } = looking();
    world.last.open();
    world.last.say({ type: "rooms", rooms: [] });
    lobby.offline();
    assert.equal(world.last.readyState, 3);
    world.pass(30_000);
    const count = world.sockets.length;
    lobby.online();
    assert.equal(world.sockets.length, count + 1);
    world.last.open();
    lobby.online();
    assert.equal(world.sockets.length, count + 1);
  });

  test("ends for good when it is closed", async () => {
    const { world, lobby } = looking();
    world.last.open();
    lobby.close();
    lobby.offline();
    lobby.online();
    world.pass(100_000);
    await settled();
    assert.equal(world.sockets.length, 1);
    assert.equal(world.asked, 0);
  });
});

describe("A quick game", () => {
  for (const [what, one, isFit] of /** @type {[string, any, boolean][]} */ ([
    ["begins in a room where someone waits, with a free seat", room("a"), true],
    ["not in one that waits for friends", room("a", { visibility: "public" }), false],
    ["not in one with a running game", running("a"), false],
    ["not in one with all seats taken", room("a", { seats: { taken: 4, computers: 0, all: 4 } }), false],
    ["not in one that all have left", room("a", { present: 0 }), false],
  ])) test(what, () => assert.equal(hasRoom(one), isFit));

  const duel = (rest = {}) => running("a", { seats: { taken: 2, computers: 1, all: 2 }, ...rest });
  for (const [what, one, isFit] of /** @type {[string, any, boolean][]} */ ([
    ["is the next one of a player who plays against a computer", duel(), true],
    ["not of one who waits for friends", duel({ visibility: "public" }), false],
    ["not of one who plays with another player", duel({ seats: { taken: 3, computers: 1, all: 4 } }), false],
    ["not of one who plays alone", duel({ seats: { taken: 1, computers: 0, all: 1 } }), false],
    ["not of one who has left", duel({ present: 0 }), false],
    ["not if someone already waits for it", duel({ spectators: 1 }), false],
  ])) test(what, () => assert.equal(passesTheTime(one), isFit));
});

describe("The wall", () => {
  const shown = [{ code: "a" }, { code: "b" }];
  for (const [what, rooms, limit, now, expected] of /** @type {[string, any[], number, number, string][]} */ ([
    ["keeps running games where they are", [running("b"), running("a")], 9, 0, "a,b"],
    ["adds others at the end, those with people first", [running("d", { present: 0 }), running("c"), running("a"),
      running("b")], 9, 0, "a,b,c,d"],
    ["adds no waiting room", [room("c"), running("a"), running("b")], 9, 0, "a,b"],
    ["shows no more than it has space for", [running("c"), running("a"), running("b")], 2, 0, "a,b"],
  ])) test(what, () => assert.equal(codes(arrange(shown, rooms, limit, now)), expected));

  test("shows an end for a while, then gives its place to another", () => {
    const rooms = [running("b"), running("c"), room("a", { status: "ended" })];
    const after = arrange(shown, rooms, 2, 1_000);
    assert.equal(codes(after), "a,b");
    assert.equal(codes(arrange(after, rooms, 2, 8_000)), "a,b");
    assert.equal(codes(arrange(after, rooms, 2, 9_000)), "b,c");
  });

  // The space below the bar and the heading on 1920 x 1080, on a tablet, on a phone.
  const screen = { width: 116, height: 58, gap: 1.5 }, tablet = { width: 45, height: 56, gap: 1.5 };
  const phone = { width: 23, height: 45, gap: 1.5 };
  for (const [what, count, room, columns, board] of /** @type {[string, number, any, number, number][]} */ ([
    ["gives one game the whole window", 1, screen, 1, 48], ["sets two side by side", 2, screen, 2, 48],
    ["sets nine in two rows", 9, screen, 5, 18.25], ["leaves none much higher than it is wide", 2, tablet, 2, 30.45],
    ["is as wide as possible if it has to scroll", 6, tablet, 2, 14], ["is one column on a phone", 6, phone, 1, 14],
  ])) test(what, () => {
    const found = spread(count, room);
    assert.deepEqual([found.columns, found.board.toFixed(2)], [columns, board.toFixed(2)]);
  });

  test("keeps a room that immediately plays again", () => {
    const ended = arrange(shown, [running("b")], 2, 1_000);
    const again = arrange(ended, [running("a"), running("b")], 2, 5_000);
    assert.deepEqual(again, [{ code: "a" }, { code: "b" }]);
  });
});

describe("A mode", () => {
  test("is named by its rule and its board", () => {
    assert.equal(nameOfMode("memory", "hard-4x5"), "Hard · 4 × 5");
    assert.equal(nameOfMode("reversi", "8x8"), "8 × 8");
    assert.equal(nameOfMode("memory", "strange"), "strange");
  });

  test("is offered if the form has its board, or if it was played", () => {
    assert.deepEqual(modesOf("reversi").map(({ name }) => name), ["8x8"]);
    const names = modesOf("memory", ["pairs-3x3", "hard-4x5", "pairs-3x3"]).map(({ name }) => name);
    assert.equal(names.at(-1), "pairs-3x3");
    assert.equal(new Set(names).size, names.length);
  });
});
