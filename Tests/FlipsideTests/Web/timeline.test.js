// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { fold, pauseBetween, Playback, sentence, speedFor, Timeline } from "../../../web/client.js";
import { ScriptedWorld } from "./scripted-world.js";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const fair = read("recorded-fair-room.json"), long = read("recorded-room.json");
const rooms = [
  ["a room with nonces", { ...fair, events: fair.lines.map((line) => JSON.parse(line)) }],
  ["a room with everything else", { code: long.welcomes[0].room.code, ...long }],
];

function timelineOf({ code, events }) {
  const timeline = new Timeline(code);
  for (const event of events) assert.ok(timeline.add(event));
  return timeline;
}
const seen = ({ version, room, view }) => ({ version, room, view });

describe("A timeline", () => {
  for (const [name, room] of /** @type {any[]} */ (rooms)) {
    test(`equals every welcome at its version: ${name}`, () => {
      const timeline = timelineOf(room);
      for (const { head, ...told } of room.welcomes) assert.deepEqual(seen(timeline.at(told.version)), seen(told));
    });

    test(`is the same in any order of versions: ${name}`, () => {
      const forwards = timelineOf(room), wild = timelineOf(room);
      const states = room.events.map(({ v }) => seen(forwards.at(v)));
      for (let index = 0, v = 1; index < 300; index++, v = (v * 31 + 17) % room.events.length + 1) {
        assert.deepEqual(seen(wild.at(v)), states[v - 1]);
      }
    });
  }

  test("accepts events only in order", () => {
    const timeline = timelineOf(rooms[0][1]);
    const { length } = timeline;
    for (const v of [1, length, length + 2]) assert.equal(timeline.add({ v, t: 0, type: "turn" }), false);
    assert.equal(timeline.length, length);
  });

  test("of ten thousand events folds only a few for any jump", () => {
    const start = fair.lines.map((line) => JSON.parse(line)).slice(0, version("game-started") + 1);
    const timeline = timelineOf({ code: fair.code, events: start });
    while (timeline.length < 10_000) {
      const v = timeline.length + 1;
      timeline.add(v % 2 ? { v, t: v, type: "away", seat: 0 } : { v, t: v, type: "back", seat: 0 });
    }
    timeline.at(10_000);
    // Counts the events that the fold reads.
    let folded = 0;
    const count = (events, key) => {
      if (key !== "length") folded += 1;
      return events[key];
    };
    timeline.events = new Proxy(timeline.events, { get: count });
    for (const v of [5, 9_999, 4_000, 7_777, 1]) {
      folded = 0;
      assert.equal(timeline.at(v).version, v);
      assert.ok(folded <= 128, `${folded} at ${v}`);
    }
  });
});

const version = (type) => fair.lines.map((line) => JSON.parse(line)).find((event) => event.type === type).v;

describe("A replay", () => {
  const events = [0, 0, 10_000, 10_000, 10_005].map((t, index) => ({ v: index + 1, t, type: "x" }));
  /** What is shown, and when. */
  function playing(speed = 1) {
    const world = new ScriptedWorld(), shown = /** @type {number[][]} */ ([]), start = world.time;
    const timeline = { events: [...events], get length() { return this.events.length; } };
    const playback = new Playback(timeline, world, () => shown.push([playback.version, world.time - start]));
    playback.setSpeed(speed);
    return { world, shown, playback, timeline };
  }

  test("pauses as the players did, but never too long, nor too short to see", () => {
    assert.deepEqual([1, 2, 3, 4].map((at) => pauseBetween(events[at - 1], events[at])), [0, 1_500, 0, 350]);
  });

  test("shows the events of one moment together, and stops at the end", () => {
    const { world, shown, playback } = playing();
    playback.play();
    world.pass(5_000);
    assert.deepEqual(shown, [[1, 0], [2, 0], [4, 1_500], [5, 1_850]]);
    assert.equal(playback.isPlaying, false);
    assert.equal(playback.isFollowing, true);
  });

  test("is as fast as requested", () => {
    const { world, shown, playback } = playing(2);
    playback.play();
    world.pass(5_000);
    assert.deepEqual(shown.at(-1), [5, 925]);
  });

  test("fits into ten seconds at the computed speed", () => {
    assert.equal(speedFor(events, 1, 5, 100), 18.5);
    assert.equal(speedFor(events, 1, 5, 10_000), 1);
  });

  test("stays where it was paused, and steps back and forth within its ends", () => {
    const { world, playback } = playing();
    playback.play();
    world.pass(100);
    playback.pause();
    world.pass(10_000);
    assert.equal(playback.version, 2);
    for (const [count, expected] of [[1, 3], [-1, 2], [-1, 1], [-1, 1], [99, 5]]) {
      playback.step(count);
      assert.equal(playback.version, expected);
    }
  });

  test("follows new events at its end, and nowhere else", () => {
    const { playback, timeline } = playing();
    playback.seek(5);
    timeline.events.push({ v: 6, t: 10_010, type: "x" });
    playback.grown();
    assert.equal(playback.version, 6);
    playback.seek(3);
    timeline.events.push({ v: 7, t: 10_020, type: "x" });
    playback.grown();
    assert.equal(playback.version, 3);
  });

  test("accepts any version in a link, however wrong", () => {
    const { playback } = playing();
    for (const [asked, expected] of [[0, 1], [-5, 1], [NaN, 1], [2.4, 2], [1e9, 5]]) {
      playback.seek(asked);
      assert.equal(playback.version, expected);
    }
  });
});

describe("Every event of the protocol", () => {
  const who = { seat: () => ({ name: "Ann", isYou: false }), player: () => ({ name: "Ben", isYou: false }) };
  /** The values for fields of events: those in the schema's lists. @type {Record<string, any>} */
  const values = {
    seat: 0, player: "b", host: "a", on: true, cell: 3, cells: [0, 1], face: "🦊", flips: [27], reason: "finished",
    what: "restart", agrees: true, of: 1, rank: "7", count: 2, seats: [0, 1],
    prize: 7, card: 9, stake: 7, winner: 0, bids: [{ seat: 0, card: 9 }, { seat: 1, card: 4 }],
    results: [{ place: 1, player: "b" }, { place: 2, player: "a" }],
  };
  const { $defs } = read("../../../Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json");
  const events = Object.keys($defs).filter((key) => key.startsWith("event.")).map((key) => ({
    ...Object.fromEntries(Object.entries($defs[key].properties).map(
      ([name, { enum: all }]) => [name, all?.[0] ?? values[name]])),
    type: key.slice("event.".length),
  }));
  const others = [
    { type: "player-muted", player: "b", on: false }, { type: "player-banned", player: "b", on: false },
    { type: "hide-card", cells: [0] }, { type: "proposed", seat: 0, what: "rematch" },
    { type: "answered", seat: 0, agrees: false }, { type: "proposal-ended", reason: "expired" },
    { type: "proposal-ended", reason: "withdrawn" },
  ];
  for (const event of [...events, ...others]) {
    test(`has a sentence: ${event.type}`, () => {
      const said = Object.keys(games).map((game) => sentence(game, event, who)).filter((words) => words !== "");
      assert.notEqual(said.length, 0, `no texts/en.js has words for event.${event.type}`);
      for (const words of said) {
        assert.match(words, /^[A-Z].*[.…]$/);
        assert.doesNotMatch(words, /[{}]|undefined|event\./);
      }
    });
  }

  test("includes those of the recorded rooms", () => {
    const known = new Set(events.map(({ type }) => type));
    for (const [, { events }] of /** @type {any[]} */ (rooms)) {
      for (const { type } of events) assert.ok(known.has(type), type);
    }
  });

  test("leaves a state from which the page can continue", () => {
    const timeline = timelineOf(rooms[0][1]);
    const state = timeline.at(timeline.length - 1);
    const live = fold(state, { v: timeline.length, t: 0, type: "host-changed", player: "x" });
    assert.equal(live.room.host, "x");
  });
});
