// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { isShared, recall, remember } from "../../../web/store/storage.js";
import { storage } from "./scripted-storage.js";

describe("What a browser stores", () => {
  beforeEach(() => {
    storage.isFull = storage.isOff = false;
    storage.shared.clear();
    remember("a", null);
    storage.entry.state = { other: 1 };
  });

  test("is shared with its other pages, and so are their changes", () => {
    remember("a", { x: 1 });
    assert.deepEqual(JSON.parse(storage.shared.get("a")), { x: 1 });
    assert.equal(isShared("a"), true);
    storage.shared.delete("a");
    assert.equal(recall("a"), null);
    assert.deepEqual(storage.entry.state, { other: 1 });
  });

  for (const [what, refuse] of /** @type {[string, () => void][]} */ ([
    ["where storage is switched off", () => { storage.isOff = true; }],
    ["where storage is full", () => { storage.isFull = true; }],
  ])) {
    test(`still survives a reload ${what}`, () => {
      remember("a", 1);
      refuse();
      remember("a", 2);
      assert.equal(recall("a"), 2);
      assert.equal(isShared("a"), false);
      assert.deepEqual(storage.entry.state, { other: 1, kept: { a: 2 } });
    });
  }

  test("is stored as soon as that is possible", () => {
    storage.isFull = true;
    remember("a", 2);
    storage.isFull = false;
    remember("a", 3);
    assert.deepEqual([storage.shared.get("a"), recall("a"), isShared("a")], ["3", 3, true]);
    assert.deepEqual(storage.entry.state, { other: 1, kept: {} });
  });

  test("is null if it cannot be read", () => {
    storage.shared.set("a", "{");
    assert.equal(recall("a"), null);
  });
});
