// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noteHead, notedHeads } from "../../../web/store/chain-heads.js";

describe("Fingerprints that a browser has noted", () => {
  test("are kept by room, each once", () => {
    noteHead("a", { version: 3, head: "x" });
    noteHead("b", { version: 3, head: "y" });
    noteHead("a", { version: 3, head: "x" });
    noteHead("a", { version: 5, head: "z" });
    assert.deepEqual(notedHeads("a"), [{ version: 3, head: "x" }, { version: 5, head: "z" }]);
    assert.deepEqual(notedHeads("nowhere"), []);
  });

  test("that contradict each other are both kept", () => {
    for (const head of ["one", "other"]) noteHead("c", { version: 7, head });
    assert.equal(notedHeads("c").length, 2);
  });

  test("are forgotten past 32 a room and 64 rooms, the oldest first", () => {
    for (let version = 1; version <= 33; version++) noteHead("long", { version, head: "h" });
    assert.deepEqual([notedHeads("long").length, notedHeads("long")[0].version], [32, 2]);
    for (let room = 1; room <= 64; room++) noteHead(`room${room}`, { version: 1, head: "h" });
    assert.deepEqual(notedHeads("long"), []);
    assert.equal(notedHeads("room1").length, 1);
  });
});
