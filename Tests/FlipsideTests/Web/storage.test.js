// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { isShared, recall, remember } from "../../../web/store/storage.js";

/** Storage and a history of one entry, as a browser has them. */
const storage = new Map(), entry = /** @type {{state: any}} */ ({ state: null });
let isFull = false, isOff = false;
const guard = () => { if (isOff) throw new Error("SecurityError"); };
const stands = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, value });
stands("localStorage", {
  getItem(key) {
    guard();
    return storage.get(key) ?? null;
  },
  setItem(key, value) {
    guard();
    if (isFull) throw new Error("QuotaExceededError");
    storage.set(key, value);
  },
  removeItem(key) {
    guard();
    storage.delete(key);
  },
});
stands("history", { get state() { return entry.state; }, replaceState(state) { entry.state = state; } });

describe("What a browser keeps", () => {
  beforeEach(() => {
    isFull = isOff = false;
    storage.clear();
    remember("a", null);
    entry.state = { other: 1 };
  });

  test("is there for its other pages, and so is what they change", () => {
    remember("a", { x: 1 });
    assert.deepEqual(JSON.parse(storage.get("a")), { x: 1 });
    assert.equal(isShared("a"), true);
    storage.delete("a");
    assert.equal(recall("a"), null);
    assert.deepEqual(entry.state, { other: 1 });
  });

  for (const [what, refuse] of /** @type {[string, () => void][]} */ ([
    ["where storage is switched off", () => { isOff = true; }],
    ["where storage is full", () => { isFull = true; }],
  ])) {
    test(`lasts over a reload all the same, ${what}`, () => {
      remember("a", 1);
      refuse();
      remember("a", 2);
      assert.equal(recall("a"), 2);
      assert.equal(isShared("a"), false);
      assert.deepEqual(entry.state, { other: 1, kept: { a: 2 } });
    });
  }

  test("is kept as soon as that is possible", () => {
    isFull = true;
    remember("a", 2);
    isFull = false;
    remember("a", 3);
    assert.deepEqual([storage.get("a"), recall("a"), isShared("a")], ["3", 3, true]);
    assert.deepEqual(entry.state, { other: 1, kept: {} });
  });

  test("is nothing where it cannot be read", () => {
    storage.set("a", "{");
    assert.equal(recall("a"), null);
  });
});
