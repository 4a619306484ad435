// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RoomConnection } from "../../../web/net/connection.js";
import { ScriptedWorld } from "./scripted-world.js";

const welcome = (version, rest = {}) =>
  ({ type: "welcome", version, head: `hash${version}`, now: 0, names: {}, ...rest });
const resume = (version) => ({ type: "resume", version, head: `hash${version}`, now: 0, names: {} });
const event = (v) => ({ v, t: v * 10, type: "turn", seat: 0 });

/** A connection that has been greeted at version 5, and what it passed on since. */
function greeted(token = "secret") {
  const world = new ScriptedWorld(), heard = /** @type {any[]} */ ([]), states = /** @type {string[]} */ ([]);
  const on = { message: (message) => heard.push(message), state: (state) => states.push(state) };
  const line = new RoomConnection("ws://hub/ws/rooms/abc", token, on, world);
  world.last.open();
  world.last.say(welcome(5));
  heard.length = 0;
  return { world, line, heard, states };
}

const versions = (heard) => heard.filter(({ v }) => v).map(({ v }) => v);
const settled = () => new Promise((done) => setImmediate(done));

describe("Hello", () => {
  test("the first one names the token and nothing that was seen", () => {
    const { world } = greeted();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret" });
    assert.equal(world.last.protocol, "flipside.v1");
  });

  test("a spectator without a name says no token", () => {
    assert.deepEqual(greeted(/** @type {any} */ (null)).world.last.sent[0], { type: "hello" });
  });

  test("after a break it names the last version and the hash there", () => {
    const { world } = greeted();
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret", after: 5, head: "hash5" });
  });

  test("after events, whose hash a page does not know, it names the version alone", () => {
    const { world } = greeted();
    world.last.say(event(6));
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret", after: 6 });
  });

  test("a resume's hash counts once its events are here", () => {
    const { world } = greeted();
    for (const message of [event(6), resume(8), event(7), event(8)]) world.last.say(message);
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret", after: 8, head: "hash8" });
  });
});

describe("Events", () => {
  const rows = [
    ["in order", [6, 7, 8], [6, 7, 8], 0],
    ["seen already", [5, 4, 6, 6], [6], 0],
    ["behind a gap, asked for once", [6, 8, 9, 10], [6], 1],
    ["behind a gap, then brought", [7, 8, "resume", 6, 7, 8, 9], [6, 7, 8, 9], 1],
  ];
  for (const [name, said, passed, asked] of rows) {
    test(`pass once and in order: ${name}`, () => {
      const { world, heard } = greeted();
      for (const one of /** @type {any[]} */ (said)) world.last.say(one === "resume" ? resume(8) : event(one));
      assert.deepEqual(versions(heard), passed);
      assert.equal(world.last.all("hello").length, 1 + Number(asked));
    });
  }

  test("a welcome replaces everything, also at a lower version after a backup was restored", () => {
    const { world, heard } = greeted();
    world.last.say(welcome(3, { diverged: true }));
    world.last.say(event(4));
    assert.deepEqual(versions(heard), [4]);
  });
});

test("A gap is asked about again where the first question was refused", () => {
  const { world, heard } = greeted();
  world.last.say(event(9));
  const asked = world.last.sent.length;
  world.last.say({ type: "error", code: "too-fast", message: "Not so fast." });
  world.last.say(event(10));
  assert.equal(world.last.sent.length, asked + 1);
  assert.deepEqual(versions(heard), []);
});

describe("Commands", () => {
  test("are answered by their id, and ids never repeat", async () => {
    const { world, line } = greeted();
    const first = line.command("flip", { cell: 3 }), second = line.command("flip", { cell: 4 });
    const [one, two] = world.last.all("flip");
    assert.notEqual(one.id, two.id);
    world.last.say({ type: "error", id: two.id, code: "card-is-up", message: "no" });
    world.last.say({ type: "ok", id: one.id, v: 6 });
    assert.deepEqual([(await first).type, (await second).code], ["ok", "card-is-up"]);
  });

  test("that were not answered go again with the same id, behind the greeting", async () => {
    const { world, line } = greeted();
    const answer = line.command("sit");
    const [{ id }] = world.last.all("sit");
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    assert.equal(world.last.all("sit").length, 0);
    world.last.say(resume(5));
    assert.deepEqual(world.last.all("sit"), [{ type: "sit", id }]);
    world.last.say({ type: "ok", id, v: 6 });
    assert.equal((await answer).v, 6);
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    world.last.say(resume(5));
    assert.equal(world.last.all("sit").length, 0);
  });

  test("that were not answered are not done to a state that they were not meant for", async () => {
    const { world, line } = greeted();
    const answer = line.command("flip", { cell: 3 });
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    world.last.say(welcome(3, { diverged: true }));
    assert.equal((await answer).code, "diverged");
    assert.equal(world.last.all("flip").length, 0);
    line.command("flip", { cell: 4 });
    assert.equal(world.last.all("flip").length, 1);
  });

  test("that a greeting leads to go once", () => {
    const world = new ScriptedWorld();
    let line = /** @type {any} */ (null);
    const on = { message: ({ type }) => type === "welcome" && line.command("ready"), state() {} };
    line = new RoomConnection("ws://hub/ws/rooms/abc", null, on, world);
    world.last.open();
    world.last.say(welcome(5));
    assert.equal(world.last.all("ready").length, 1);
  });

  test("past the limit are refused here", async () => {
    const { line } = greeted();
    for (let count = 0; count < 32; count++) line.command("flip", { cell: 0 });
    assert.equal((await line.command("flip", { cell: 0 })).code, "too-many");
  });
});

describe("The line", () => {
  test("is tried again after pauses that double up to a limit", () => {
    const { world, states } = greeted();
    const pauses = [];
    world.last.drop();
    for (let attempt = 0; attempt < 8; attempt++) {
      const count = world.sockets.length, since = world.time;
      while (world.sockets.length === count) world.pass(25);
      pauses.push(world.time - since);
      world.last.drop();
    }
    assert.deepEqual(pauses, [225, 450, 900, 1800, 3600, 6000, 6000, 6000]);
    assert.equal(states.at(-1), "lost");
  });

  test("is dead after silence, and an old socket is not listened to", () => {
    const { world, heard, states } = greeted();
    const old = world.last;
    world.pass(20_000);
    assert.ok(states.includes("lost"));
    assert.notEqual(world.last, old);
    old.say(event(6));
    assert.deepEqual(versions(heard), []);
  });

  test("holds as long as pongs come", () => {
    const { world, states } = greeted();
    for (let second = 0; second < 120; second++) {
      world.pass(1_000);
      const { n } = world.last.all("ping").at(-1);
      world.last.say({ type: "pong", n, now: 0 });
    }
    assert.equal(world.sockets.length, 1);
    assert.equal(states.at(-1), "open");
  });

  test("holds as long as it answers, however late the timers of a page in the background come", () => {
    const { world, states } = greeted();
    for (let minute = 0; minute < 5; minute++) {
      world.last.say({ type: "pong", n: world.time, now: 0 });
      world.time += 60_000;
      world.pass(0);
    }
    assert.equal(world.sockets.length, 1);
    assert.equal(states.at(-1), "open");
  });

  test("is given up where the handshake hangs", () => {
    const { world } = greeted();
    world.last.drop();
    world.pass(300);
    assert.equal(world.sockets.length, 2);
    world.pass(11_000);
    assert.equal(world.sockets.length, 3);
  });

  test("is found dead soon after the page wakes up", () => {
    const { world, line } = greeted();
    world.time += 3_600_000;
    line.check();
    world.pass(11_000);
    assert.equal(world.sockets.length, 2);
  });

  test("is given up at once where the browser has no network, and not listened to any more", () => {
    const { world, line, states, heard } = greeted();
    const old = world.last;
    line.offline();
    assert.equal(states.at(-1), "lost");
    old.say(event(6));
    assert.deepEqual(versions(heard), []);
    assert.equal(old.readyState, 3);
  });

  for (const [what, before] of /** @type {[string, (world: ScriptedWorld) => void][]} */ ([
    ["a long pause", (world) => {
      for (let attempt = 0; attempt < 8; attempt++) {
        world.pass(8_000);
        world.last.drop();
      }
    }],
    ["a handshake that hangs", (world) => world.pass(300)],
  ])) {
    test(`is tried anew at once when there is a network again, in the middle of ${what}`, () => {
      const { world, line } = greeted();
      line.offline();
      before(world);
      const count = world.sockets.length;
      line.online();
      assert.equal(world.sockets.length, count + 1);
      world.last.open();
      world.last.say(resume(5));
      world.pass(4_000);
      assert.equal(world.sockets.length, count + 1);
    });
  }

  test("that holds is kept when the browser speaks of a network again, and asked whether it does", () => {
    const { world, line } = greeted();
    const asked = world.last.all("ping").length;
    line.online();
    assert.equal(world.sockets.length, 1);
    assert.equal(world.last.all("ping").length, asked + 1);
  });

  test("once closed is never opened again", async () => {
    const { world, line } = greeted();
    line.close();
    world.last.drop();
    line.check();
    line.offline();
    line.online();
    world.pass(60_000);
    await settled();
    assert.equal(world.sockets.length, 1);
  });
});

describe("The hub's clock", () => {
  test("is what the shortest round trip says", () => {
    const { world, line } = greeted();
    const ahead = 5_000;
    const trip = (ms) => {
      world.pass(5_000);
      const { n } = world.last.all("ping").at(-1);
      world.time += ms;
      world.last.say({ type: "pong", n, now: n + ahead + ms / 2 });
    };
    trip(40);
    assert.equal(line.hubTime, world.time + ahead);
    const { n } = world.last.all("ping").at(-1);
    world.time = n + 900;
    world.last.say({ type: "pong", n, now: n + ahead + 900 });
    assert.equal(line.hubTime, world.time + ahead);
  });
});
