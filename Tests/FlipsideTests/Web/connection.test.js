// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RoomConnection } from "../../../web/net/connection.js";
import { browser } from "../../../web/net/surroundings.js";
import { ScriptedWorld } from "./scripted-world.js";

const welcome = (version, rest = {}) =>
  ({ type: "welcome", version, head: `hash${version}`, now: 0, names: {}, presence: { players: [], spectators: 0 }, ...rest });
const resume = (version) => ({ type: "resume", version, head: `hash${version}`, now: 0, names: {}, presence: { players: [], spectators: 0 } });
const event = (v) => ({ v, t: v * 10, type: "turn", seat: 0 });

/** Answers the newest ping. */
const pong = (world) => world.last.say({ type: "pong", n: world.last.all("ping").at(-1).n, now: 0 });

/** A connection greeted at version 5, and what it has delivered since. */
function greeted(token = "secret") {
  const world = new ScriptedWorld(), heard = /** @type {any[]} */ ([]), states = /** @type {string[]} */ ([]);
  const on = { message: (message) => heard.push(message), state: (state) => states.push(state) };
  const line = new RoomConnection("ws://hub/ws/rooms/abc", token, on, world);
  world.last.open();
  world.last.say(welcome(5));
  heard.length = 0;
  return { world, line, heard, states };
}

/** One that has held for a while, and is quiet. */
function held() {
  const greeting = greeted();
  pong(greeting.world);
  greeting.world.pass(1_000);
  return greeting;
}

const versions = (heard) => heard.filter(({ v }) => v).map(({ v }) => v);
const settled = () => new Promise((done) => setImmediate(done));

test("A hand is delivered and moves no position: the next event still counts", () => {
  const { world, heard } = greeted();
  const hand = { type: "hand", v: 5, seat: 0, hand: { cards: [] } }, event = { v: 6, t: 0, type: "turn", seat: 0 };
  for (const message of [hand, event, { ...hand, v: 6 }]) world.last.say(message);
  assert.deepEqual(heard, [hand, event, { ...hand, v: 6 }]);
  assert.equal(world.last.sent.filter(({ type }) => type === "hello").length, 1);
});

describe("Hello", () => {
  test("the first one has the token and no position", () => {
    const { world } = greeted();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret" });
    assert.equal(world.last.protocol, "flipside.v1");
  });

  test("a spectator without a name has no token", () => {
    assert.deepEqual(greeted(/** @type {any} */ (null)).world.last.sent[0], { type: "hello" });
  });

  test("after a break it names the last version and the hash there", () => {
    const { world } = greeted();
    world.last.drop();
    world.pass(1_000);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "secret", after: 5, head: "hash5" });
  });

  test("after events, whose hash a page does not know, it names only the version", () => {
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
    ["after a gap, asked for once", [6, 8, 9, 10], [6], 1],
    ["after a gap, then sent", [7, 8, "resume", 6, 7, 8, 9], [6, 7, 8, 9], 1],
  ];
  for (const [name, said, passed, asked] of rows) {
    test(`pass once and in order: ${name}`, () => {
      const { world, heard } = greeted();
      for (const one of /** @type {any[]} */ (said)) world.last.say(one === "resume" ? resume(8) : event(one));
      assert.deepEqual(versions(heard), passed);
      assert.equal(world.last.all("hello").length, 1 + Number(asked));
    });
  }

  test("a welcome replaces everything, even at a lower version after a backup was restored", () => {
    const { world, heard } = greeted();
    world.last.say(welcome(3, { diverged: true }));
    world.last.say(event(4));
    assert.deepEqual(versions(heard), [4]);
  });
});

test("A gap is asked about again if the first question was refused", () => {
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

  test("before the first greeting go out with hello, once", async () => {
    const world = new ScriptedWorld(), on = { message() {}, state() {} };
    const line = new RoomConnection("ws://hub/ws/rooms/abc", "secret", on, world);
    const answer = line.command("sit");
    world.last.open();
    line.command("start");
    const types = () => world.last.sent.map(({ type }) => type);
    assert.deepEqual(types(), ["hello", "sit", "start"]);
    const [{ id }] = world.last.all("sit");
    world.last.drop();
    world.pass(5_000);
    world.last.open();
    assert.deepEqual(types(), ["hello", "sit", "start"]);
    assert.equal(world.last.all("sit")[0].id, id);
    world.last.say(welcome(1));
    assert.deepEqual(types(), ["hello", "sit", "start", "ping"]);
    world.last.say({ type: "ok", id, v: 2 });
    assert.equal((await answer).v, 2);
  });

  test("that were not answered are sent again with the same id, after the greeting", async () => {
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

  test("that were not answered do not affect a state they were not meant for", async () => {
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

  test("caused by a greeting go out once", () => {
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
  test("is tried again at once, then after pauses that double up to a limit", () => {
    const { world, states } = held();
    const pauses = [];
    let since = world.time;
    for (let attempt = 0; attempt < 8; attempt++) {
      const count = world.sockets.length;
      world.last.drop();
      while (world.sockets.length === count) world.pass(25);
      pauses.push(world.time - since);
      since = world.time;
    }
    world.last.drop();
    assert.deepEqual(pauses, [0, 225, 450, 900, 1800, 3600, 6000, 6000]);
    assert.equal(states.at(-1), "lost");
  });

  for (const [what, line, code] of /** @type {[string, typeof held, number | undefined][]} */ ([
    ["the hub has said that it stops", held, 1012],
    ["it does not hold for long", greeted, undefined],
  ])) {
    test(`is tried again after a pause if ${what}`, () => {
      const { world } = line();
      world.last.drop(code);
      assert.equal(world.looks.length, 0);
      world.pass(225);
      assert.equal(world.sockets.length, 2);
    });
  }

  for (const [what, code, pause] of /** @type {[string, number | undefined, number][]} */ ([
    ["the hub has closed it", 1012, 5_000], ["its socket has closed", undefined, 5_000],
  ])) {
    test(`is tried again within the time over which many return if ${what}`, () => {
      const { world } = held();
      world.last.say(welcome(6, { spread: 10_000 }));
      pong(world);
      world.pass(1_000);
      world.last.drop(code);
      world.pass(pause - 1);
      assert.equal(world.looks.length, 0);
      world.pass(1);
      assert.equal(world.sockets.length, 2);
    });
  }

  test("is tried again at once if only this one was given up, however many clients the hub has", () => {
    const { world, line } = held();
    world.last.say(welcome(6, { spread: 10_000 }));
    pong(world);
    world.pass(1_000);
    line.offline();
    assert.equal(world.looks.length, 1);
  });

  test("is silent about a short restart, whatever the first attempts result in", () => {
    const { world, line, states } = held();
    const before = states.length;
    line.command("flip", { cell: 1 });
    world.last.drop(1012);
    world.pass(225);
    world.last.open();
    world.last.drop(1012);
    world.pass(450);
    world.last.open();
    assert.equal(states.length, before);
    assert.equal(world.last.all("flip").length, 0);
    world.last.say(resume(5));
    assert.equal(world.last.all("flip").length, 1);
    pong(world);
    world.last.say({ type: "ok", id: world.last.all("flip")[0].id, v: 6 });
    world.pass(1_900);
    assert.deepEqual([...new Set(states.slice(before))], ["open"]);
  });

  test("is lost after a longer restart, and silent once it is closed", () => {
    const { world, states } = held();
    world.isHubThere = false;
    const before = states.length;
    world.last.drop(1012);
    world.pass(1_999);
    assert.equal(states.length, before);
    world.pass(1);
    assert.deepEqual(states.slice(before), ["lost"]);
    const other = held();
    other.world.last.drop(1012);
    other.line.close();
    const end = other.states.length;
    other.world.pass(5_000);
    assert.equal(other.states.length, end);
  });

  test("returns as soon as the hub does, which is looked for at once and then at least every second", () => {
    const { world } = held();
    world.isHubThere = false;
    const since = world.time;
    world.last.drop();
    world.pass(60_000);
    assert.deepEqual(world.looks.slice(0, 5).map((time) => time - since), [0, 75, 225, 525, 1125]);
    const pauses = world.looks.slice(1).map((time, index) => time - world.looks[index]);
    assert.equal(Math.max(...pauses), 600);
    assert.equal(world.sockets.length, 1);
    world.isHubThere = true;
    world.pass(600);
    assert.equal(world.sockets.length, 2);
    const count = world.looks.length;
    world.last.open();
    world.last.say(resume(5));
    pong(world);
    world.pass(800);
    assert.equal(world.looks.length, count);
  });

  test("gives one request its time, and sends few, if the network swallows all", () => {
    const { world } = held();
    world.isHubThere = false;
    world.last.drop();
    const first = world.requests[0];
    for (let second = 0; second < 9; second++) {
      world.pass(1_000);
      assert.ok(world.requests.filter(({ isOpen }) => isOpen).length <= 3);
    }
    assert.ok(first.isOpen);
    world.pass(2_000);
    assert.ok(!first.isOpen);
  });

  test("is dead after silence, and ignores its old socket", () => {
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
    for (let beat = 0; beat < 240; beat++) {
      world.pass(500);
      pong(world);
    }
    assert.equal(world.sockets.length, 1);
    assert.equal(states.at(-1), "open");
  });

  test("holds as long as it answers, however late a background page's timers are", () => {
    const { world, states } = greeted();
    for (let minute = 0; minute < 5; minute++) {
      world.last.say({ type: "pong", n: world.time, now: 0 });
      world.time += 60_000;
      world.pass(0);
    }
    assert.equal(world.sockets.length, 1);
    assert.equal(states.at(-1), "open");
  });

  test("is given up if the handshake hangs", () => {
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
    world.pass(899);
    assert.equal(world.sockets.length, 1);
    world.pass(1);
    assert.equal(world.sockets.length, 2);
  });

  test("is given up at once if the browser has no network, and then ignored", () => {
    const { world, line, states, heard } = greeted();
    const old = world.last;
    world.isHubThere = false;
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
    ["a search", (world) => {
      world.isHubThere = false;
      world.last.drop();
      world.pass(8_100);
    }],
  ])) {
    test(`is tried again at once when the network is back, in the middle of ${what}`, () => {
      const { world, line } = greeted();
      line.offline();
      before(world);
      const count = world.sockets.length;
      line.online();
      assert.equal(world.sockets.length, count + 1);
      world.last.open();
      world.last.say(resume(5));
      pong(world);
      world.pass(2_000);
      assert.equal(world.sockets.length, count + 1);
    });
  }

  test("that holds is kept when the browser reports a network again, and checked", () => {
    const { world, line } = greeted();
    const asked = world.last.all("ping").length;
    line.online();
    assert.equal(world.sockets.length, 1);
    assert.equal(world.last.all("ping").length, asked + 1);
  });

  describe("whose handshake is refused", () => {
    /** A line to a room, refused once; the hub is there, and says this about the room. */
    const refused = (said, after = 0) => {
      const world = new ScriptedWorld(), states = /** @type {any[]} */ ([]);
      world.said = said;
      const on = { message: () => {}, state: (...state) => states.push(state) };
      const line = new RoomConnection("wss://hub/ws/rooms/k3m7pq", null, on, world, after);
      const answer = line.command("sit");
      world.last.drop();
      world.pass(1_000);
      return { world, states, line, answer };
    };
    const noRoom = { code: "no-such-room", detail: "There is no room with this code." };
    const error = { type: "error", code: noRoom.code, message: noRoom.detail };

    test("ends if the hub says that the room does not exist, and so do its commands", async () => {
      const { world, states, line, answer } = refused(noRoom);
      assert.deepEqual(world.asked, ["https://hub/api/rooms/k3m7pq"]);
      assert.deepEqual(states.at(-1), ["ended", error]);
      assert.deepEqual([await answer, await line.command("sit")], [error, error]);
      world.pass(60_000);
      line.online();
      assert.equal(world.sockets.length, 1);
    });

    for (const [what, said] of /** @type {[string, any][]} */ ([
      ["no problem, or something unreadable", null],
      ["something else", { code: "too-many-failures", detail: "" }], ["no code", { detail: "Not found" }],
    ])) {
      test(`is tried again if the hub says ${what}`, () => {
        const { world, states } = refused(said);
        assert.deepEqual([world.sockets.length, states.at(-1)], [2, ["connecting"]]);
      });
    }

    test("is tried again if no one answers about the room", () => {
      const world = new ScriptedWorld();
      world.problem = () => () => {};
      new RoomConnection("ws://hub/ws/rooms/abc", null, { message: () => {}, state: () => {} }, world);
      world.last.drop();
      world.pass(4_000);
      assert.equal(world.sockets.length, 2);
    });

    test("is tried again to a room that it knows, since the hub may have the wrong log", () => {
      const { world } = greeted();
      world.said = noRoom;
      world.last.drop();
      world.pass(1_000);
      world.last.drop();
      world.pass(1_000);
      assert.equal(world.sockets.length, 3);
      assert.equal(refused(noRoom, 7).world.sockets.length, 2);
    });
  });

  test("that is closed answers waiting commands, and later ones", async () => {
    const { world, line } = greeted();
    const waiting = [line.command("sit"), line.command("start")];
    line.close();
    for (const answer of [...waiting, line.command("leave")]) assert.equal((await answer).code, "closed");
    assert.equal(world.last.all("leave").length, 0);
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

describe("A line in doubt", () => {
  /** One that holds and is quiet; no request reaches the hub. */
  function quiet() {
    const greeting = greeted();
    pong(greeting.world);
    greeting.world.isHubThere = false;
    greeting.states.length = 0;
    return greeting;
  }

  test("is one on which a command has had no answer within a second", () => {
    const { world, line, states } = quiet();
    world.pass(1_000);
    line.command("flip", { cell: 3 });
    world.pass(899);
    assert.deepEqual(states, []);
    world.pass(1);
    assert.deepEqual(states, ["doubtful"]);
  });

  test("is one on which a command has had none, even if something else came", () => {
    const { world, line, states } = quiet();
    line.command("flip", { cell: 3 });
    world.pass(100);
    world.last.say(event(6));
    world.pass(900);
    assert.deepEqual(states, ["doubtful"]);
  });

  test("is one that was quiet and no longer answers", () => {
    const { world, states } = quiet();
    world.pass(2_899);
    assert.deepEqual(states, []);
    world.pass(1);
    assert.deepEqual(states, ["doubtful"]);
  });

  test("is not one on which only the answer to a command is slow", () => {
    const { world, line, states } = quiet();
    line.command("flip", { cell: 3 });
    for (let beat = 0; beat < 40; beat++) {
      world.pass(500);
      pong(world);
    }
    assert.deepEqual(states, []);
  });

  test("is not one that is known to be slow", () => {
    const { world, states } = greeted();
    states.length = 0;
    const { n } = world.last.all("ping")[0];
    world.isHubThere = false;
    world.pass(800);
    world.last.say({ type: "pong", n, now: 0 });
    world.pass(1_200 + 1_599);
    assert.deepEqual(states, []);
    world.pass(1);
    assert.deepEqual(states, ["doubtful"]);
  });

  test("is not one after the page slept, until it has read what came", () => {
    const { world, states } = quiet();
    world.pass(2_000);
    world.time += 60_000;
    world.later(() => pong(world), 0);
    world.pass(0);
    assert.deepEqual(states, []);
  });

  test("holds as soon as it says anything", () => {
    const { world, states } = quiet();
    world.pass(5_000);
    world.last.say(event(6));
    assert.deepEqual(states, ["doubtful", "open"]);
    const count = world.looks.length;
    pong(world);
    world.pass(1_000);
    assert.equal(world.looks.length, count);
    assert.equal(world.sockets.length, 1);
  });

  test("is replaced as soon as the hub answers a request before it", async () => {
    const { world, line, heard } = quiet();
    const old = world.last, answer = line.command("flip", { cell: 3 });
    world.pass(5_000);
    assert.equal(world.sockets.length, 1);
    world.isHubThere = true;
    world.pass(600);
    assert.equal(world.sockets.length, 2);
    assert.equal(old.readyState, 3);
    old.say(event(6));
    world.last.open();
    world.last.say(resume(6));
    world.last.say(event(6));
    const [{ id }] = world.last.all("flip");
    world.last.say({ type: "ok", id });
    assert.equal((await answer).type, "ok");
    assert.deepEqual(versions(heard), [6]);
  });

  test("is replaced at once when the network is back", () => {
    const { world, line } = quiet();
    world.pass(5_000);
    line.online();
    assert.equal(world.sockets.length, 2);
  });

  test("is lost in the end", () => {
    const { world, states } = quiet();
    world.pass(2_000 + 12_000);
    assert.deepEqual(states, ["doubtful", "lost"]);
  });

  test("is not one that has not been greeted, since the hub may be busy", () => {
    const { world, states } = quiet();
    world.isHubThere = true;
    world.last.drop();
    world.pass(225);
    states.length = 0;
    world.last.open();
    world.pass(11_000);
    assert.deepEqual(states, []);
    assert.equal(world.sockets.length, 2);
  });
});

test("A round trip is that of the current line, unknown until it is measured", () => {
  const { world, line } = greeted();
  const { n } = world.last.all("ping")[0];
  assert.equal(line.trip, null);
  world.pass(300);
  world.last.say({ type: "pong", n, now: 0 });
  assert.equal(line.trip, 300);
  world.last.drop();
  world.pass(225);
  world.last.open();
  world.last.say(resume(5));
  assert.equal(line.trip, null);
});

describe("The hub's clock", () => {
  test("follows the shortest round trip", () => {
    const { world, line } = greeted();
    const ahead = 5_000;
    const trip = (ms, after = 2_000) => {
      world.pass(after);
      const { n } = world.last.all("ping").at(-1);
      world.time += ms;
      world.last.say({ type: "pong", n, now: n + ahead + ms / 2 });
    };
    trip(100, 0);
    trip(40);
    assert.equal(line.hubTime, world.time + ahead);
    const { n } = world.last.all("ping").at(-1);
    world.time = n + 900;
    world.last.say({ type: "pong", n, now: n + ahead + 900 });
    assert.equal(line.hubTime, world.time + ahead);
  });

  /** A round trip of `ms` shows that the hub's clock is `ahead` of this device's. */
  const tell = ({ line, world }, ms, ahead) => {
    line.check();
    const { n } = world.last.all("ping").at(-1);
    world.time += ms;
    world.last.say({ type: "pong", n, now: n + ahead + ms / 2 });
  };

  test("follows the newest round trip if the older ones cannot be true, because the device's clock stopped", () => {
    const greeting = greeted(), { line, world } = greeting;
    tell(greeting, 40, 5_000);
    tell(greeting, 300, 65_000);
    assert.equal(line.hubTime, world.time + 65_000);
  });

  test("follows a greeting that is later than it can be", () => {
    const greeting = greeted(), { line, world } = greeting;
    tell(greeting, 40, 5_000);
    world.last.drop();
    world.pass(225);
    world.last.open();
    world.last.say({ ...resume(5), now: world.time + 65_000 });
    assert.equal(line.hubTime, world.time + 65_000);
  });

  test("does not follow a greeting that took long", () => {
    const greeting = greeted(), { line, world } = greeting;
    tell(greeting, 40, 5_000);
    world.last.drop();
    world.pass(225);
    world.last.open();
    world.last.say({ ...resume(5), now: world.time + 4_000 });
    assert.equal(line.hubTime, world.time + 5_000);
  });
});

test("The browser's time runs evenly while its clock is set", (context) => {
  const before = browser.now(), clock = Date.now();
  assert.ok(Math.abs(before - clock) < 60_000, `${before} at ${clock}`);
  context.mock.method(Date, "now", () => clock - 3_600_000);
  assert.ok(browser.now() >= before);
});
