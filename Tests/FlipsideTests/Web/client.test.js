// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import * as client from "../../../web/client.js";
import { ScriptedWorld } from "./scripted-world.js";

const recorded = JSON.parse(readFileSync(new URL("recorded-fair-room.json", import.meta.url), "utf8"));
const events = recorded.lines.map((line) => JSON.parse(line));

/** All modules that client.js imports, directly or not. */
function modules(url = new URL("../../../web/client.js", import.meta.url), found = new Map()) {
  if (found.has(url.href)) return found;
  const source = readFileSync(url, "utf8");
  found.set(url.href, source);
  for (const [, path] of source.matchAll(/\bfrom "(\.[^"]+)"/g)) modules(new URL(path, url), found);
  return found;
}

describe("The client library", () => {
  test("needs no page", () => {
    assert.equal("document" in globalThis, false);
    for (const [url, source] of modules()) {
      const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*/g, "");
      assert.doesNotMatch(code, /\b(document|window|localStorage|location|navigator)\b/, url);
    }
  });

  test("connects, folds messages, and gets an answer to a command", async () => {
    const world = new ScriptedWorld();
    let state = /** @type {any} */ (null);
    const on = { message: (message) => { state = client.fold(state, message); }, state: () => {} };
    const line = new client.RoomConnection("ws://hub", "token", on, world);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", token: "token" });
    const [told] = recorded.welcomes;
    world.last.say({ type: "welcome", now: world.time, you: { isHost: false }, names: {}, presence: { players: [], spectators: 0 }, chat: [], ...told });
    const answer = line.command("flip", { cell: 3 });
    const { id } = world.last.all("flip")[0];
    for (const event of events.slice(told.version)) world.last.say(event);
    world.last.say({ type: "ok", id, v: events.length });
    assert.equal((await answer).type, "ok");
    const end = recorded.welcomes.at(-1);
    assert.deepEqual([state.version, state.room, state.view], [end.version, end.room, end.view]);
  });

  test("joins where a downloaded log ends, without gaps or duplicates", () => {
    const world = new ScriptedWorld(), timeline = new client.Timeline(recorded.code);
    for (const event of events.slice(0, 50)) timeline.add(event);
    const on = { message: (message) => { if (message.v) assert.ok(timeline.add(message)); }, state: () => {} };
    new client.RoomConnection("ws://hub", null, on, world, timeline.length);
    world.last.open();
    assert.deepEqual(world.last.sent[0], { type: "hello", after: 50 });
    world.last.say({ type: "resume", version: 60, head: "x", now: world.time, you: {}, names: {}, presence: { players: [], spectators: 0 }, chat: [] });
    for (const event of events.slice(48)) world.last.say(event);
    assert.equal(timeline.length, events.length);
  });

  test("downloads a log byte for byte, even if its last line lacks an end", async () => {
    const asked = /** @type {string[]} */ ([]);
    const get = (url) => {
      asked.push(url);
      const headers = { "Content-Type": "application/x-ndjson" };
      return Promise.resolve(new Response(recorded.lines.join("\n"), { headers }));
    };
    const entries = await client.downloadLog("k3 m7", 5, get);
    assert.deepEqual(asked, ["/api/rooms/k3%20m7/log?after=5"]);
    assert.deepEqual(entries.map(({ event }) => event), events);
    assert.deepEqual(entries.map(({ bytes }) => new TextDecoder().decode(bytes)), recorded.lines);
  });

  test("reports the status of a refused log, and the reason if the hub gives one", async () => {
    const answering = (type, body, status) => () =>
      Promise.resolve(new Response(body, { status, headers: { "Content-Type": type } }));
    const problem = answering("application/problem+json", '{"code":"no-such-room"}', 404);
    await assert.rejects(client.downloadLog("x", 0, problem), { status: 404, code: "no-such-room" });
    for (const status of [200, 404]) {
      const proxy = answering("text/html", "<h1>Not here</h1>", status);
      await assert.rejects(client.downloadLog("x", 0, proxy), { status, code: undefined });
    }
  });
});
