// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, test } from "node:test";
import { Timeline } from "../../../web/client.js";
import { games } from "../../../web/games/list.js";
import { shareResult } from "../../../web/pages/result-share.js";

const fair = JSON.parse(readFileSync(new URL("recorded-fair-room.json", import.meta.url), "utf8"));
const events = fair.lines.map((line) => JSON.parse(line));
/** Where the room's games end: the page stands there after the first one. */
const end = events.find(({ type }) => type === "game-ended");
const timeline = new Timeline(fair.code);
for (const event of events) timeline.add(event);

/** The page right after its first game, in a room with these fields. */
function ended(room = {}) {
  const state = timeline.at(end.v), names = {};
  for (const { player, seat } of state.room.players ?? []) names[player] = ["Ann", "Ben"][seat];
  return /** @type {any} */ ({ ...state, names, room: { ...state.room, ...room } });
}

const stand = (name, value) => Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
const before = Object.fromEntries(["document", "navigator", "location", "fetch", "getComputedStyle"].map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
const page = { said: /** @type {string[]} */ ([]), drawn: /** @type {string[]} */ ([]), shared: /** @type {any[]} */ ([]),
  saved: /** @type {string[]} */ ([]), copied: "", share: async (given) => { page.shared.push(given); } };

/** The pixels that a browser returns for a row of filled ones; some browsers return something else. */
const asDrawn = (/** @type {string[]} */ filled) =>
  filled.flatMap((colour) => [...Buffer.from(colour.slice(1), "hex"), 255]);
let handOut = asDrawn;

/** A pen that records what is written and filled, and draws nothing. */
function makePen() {
  const filled = /** @type {string[]} */ ([]);
  let colour = "";
  return new Proxy({}, {
    set: (_, name, value) => { if (name === "fillStyle") colour = value; return true; },
    get: (_, name) => (...given) => {
      if (name === "fillText") page.drawn.push(given[0]);
      if (name === "fillRect") filled.push(colour);
      if (name === "getImageData") return { data: handOut(filled) };
      return name === "measureText" ? { width: 10 } : { addColorStop() {} };
    },
  });
}

beforeEach(() => {
  Object.assign(page, { said: [], drawn: [], shared: [], saved: [], copied: "" });
  page.share = async (given) => { page.shared.push(given); };
  handOut = asDrawn;
  const made = () => ({
    dataset: {}, append() {}, remove() {}, getContext: makePen, click() { page.saved.push(this.download); },
    toBlob: (settle) => settle(new Blob(["PNG"])),
  });
  stand("document", { createElement: made, getElementById: made, body: made() });
  stand("location", { origin: "https://flip.example" });
  stand("getComputedStyle", () => ({ getPropertyValue: () => "#123456" }));
  stand("fetch", async () => logOf(fair.lines));
  stand("navigator", {
    canShare: () => true, share: (given) => page.share(given),
    clipboard: { writeText: async (words) => { page.copied = words; } },
  });
});
afterEach(() => {
  for (const [name, was] of Object.entries(before)) {
    if (was) Object.defineProperty(globalThis, name, was);
    else delete globalThis[name];
  }
});

const send = (state = ended(), bring = (load) => load()) =>
  shareResult(state, /** @type {any} */ ({ toast: (said) => page.said.push(said), bring }));

/** A room's log in the hub's answer. */
const logOf = (/** @type {string[]} */ lines) =>
  new Response(lines.join("\n"), { headers: { "Content-Type": "application/x-ndjson" } });

describe("The end of a game is shared", () => {
  // First, because loaded modules stay.
  test("without its board if that does not load; the next try uses another address", async (test) => {
    const { result } = games.memory, asked = /** @type {string[]} */ ([]);
    test.after(() => { games.memory.result = result; });
    games.memory.result = async (again = "") => { asked.push(again); throw new TypeError("Failed to fetch"); };
    await send();
    await send();
    assert.deepEqual(asked, ["", "?2"]);
    assert.match(page.shared[0].text, /^Flipside · Memory\n(Ann|Ben) wins!\n/);
    assert.doesNotMatch(page.shared[0].text, /🟣|🔶/u);
    await send(ended(), async () => null);
    assert.equal(page.shared.length, 3, "nor does it wait for a hub that is away");
  });

  test("by the device's own means, as a picture and a text", async () => {
    await send();
    const [{ files: [file], text }] = page.shared;
    assert.deepEqual([file.name, file.type], ["flipside-memory.png", "image/png"]);
    assert.match(text, new RegExp(`https://flip.example/replay/${fair.code}$`));
    assert.deepEqual([page.copied, page.saved, page.said], ["", [], []]);
  });

  test("of an unlisted room without a link to it", async () => {
    await send(ended({ visibility: "unlisted" }));
    const [{ files: [file], text }] = page.shared;
    assert.match(text, /\nhttps:\/\/flip.example$/);
    assert.doesNotMatch(file.name + text + page.drawn, new RegExp(fair.code));
  });

  test("not at all if the user cancels, and by other means if the device fails", async () => {
    page.share = async () => { throw Object.assign(new Error(), { name: "AbortError" }); };
    await send();
    assert.deepEqual([page.copied, page.saved, page.said], ["", [], []]);
    page.share = async () => { throw Object.assign(new Error(), { name: "NotAllowedError" }); };
    await send();
    assert.deepEqual([page.copied.startsWith("Flipside · Memory\n"), page.saved, page.said],
      [true, ["flipside-memory.png"], ["Result copied, picture saved."]]);
  });

  for (const [browser, data] of /** @type {[string, (filled: string[]) => number[]][]} */ ([
    ["white", (filled) => asDrawn(filled).fill(255)],
    ["noise", (filled) => asDrawn(filled).map((part, index) => (index % 4 === 3 ? part : (part + 77 * (index + 1)) % 256))],
  ])) {
    test(`as text only if the browser returns ${browser} for what was drawn`, async () => {
      handOut = data;
      await send();
      assert.deepEqual(Object.keys(page.shared[0]), ["text"]);
      page.share = async () => { throw Object.assign(new Error(), { name: "NotAllowedError" }); };
      await send();
      assert.deepEqual([page.copied.startsWith("Flipside · Memory\n"), page.saved, page.said],
        [true, [], ["Result copied."]]);
    });
  }

  test("as a picture if it returns almost what was drawn", async () => {
    handOut = (filled) => asDrawn(filled).map((part) => part ^ 1);
    await send();
    assert.equal(page.shared[0].files.length, 1);
  });

  test("with its own course even if another has begun", async () => {
    await send();
    const own = page.shared[0].text;
    const later = [{ v: 90, type: "game-started", number: 2 }, { v: 91, type: "match", seat: 0 }];
    stand("fetch", async () => logOf([...fair.lines.slice(0, end.v), ...later.map((event) => JSON.stringify(event))]));
    await send();
    assert.equal(page.shared[1].text, own);
    assert.match(own, /🟣|🔶/u);
  });

  test("with all its players in the picture, however many", async () => {
    const [first] = ended().room.results, names = {};
    const results = Array.from({ length: 8 }, (_, seat) => ({ ...first, seat, player: `p${seat}`, place: seat + 1 }));
    for (const { player, seat } of results) names[player] = `Name${seat}`;
    await send({ ...ended({ results }), names });
    const drawn = page.drawn.filter((words) => /Name\d {2}/.test(words));
    assert.deepEqual(drawn.map((words) => /Name\d/.exec(words)?.[0]), Object.values(names));
  });
});
