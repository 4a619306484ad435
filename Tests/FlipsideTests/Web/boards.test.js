// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { complete, games } from "../../../web/games/list.js";
import { liesOnItsSide } from "../../../web/games/memory/layout.js";
import { lineThrough, nearest, targetsOf } from "../../../web/views/targets.js";
import { pointsOf } from "../../../web/views/players.js";

const read = (path) => readFileSync(new URL(`../../../web/${path}`, import.meta.url), "utf8");

test("a module that lacks a required field costs its own game only, and is named with the field", (t) => {
  const { seats, ...rest } = games.reversi;
  const said = t.mock.method(console, "error", () => {});
  assert.deepEqual(Object.keys(complete({ memory: games.memory, chess: /** @type {any} */ (rest) })), ["memory"]);
  assert.deepEqual(said.mock.calls.map((call) => call.arguments), [["The module of the game chess has no `seats`."]]);
  assert.deepEqual(complete(games), games);
  assert.deepEqual(Object.keys(complete({ memory: games.memory, chess: /** @type {any} */ (undefined) })), ["memory"]);
  assert.equal(said.mock.callCount(), 1);
});

for (const [game, { board, style, sounds, check }] of Object.entries(games)) {
  test(`${game} has a board, and everything else that it declares`, async () => {
    assert.equal(typeof (await board()).board, "function");
    assert.equal(style, `/games/${game}/board.css`);
    if (sounds) assert.equal(typeof (await sounds()).cuesOf, "function");
    if (check) assert.equal(typeof (await check()).dealCheck, "function");
  });

  test(`the classes and keyframes of ${game} begin with its name`, () => {
    const rules = read(`games/${game}/board.css`).replace(/\/\*[^]*?\*\//g, "");
    const styled = [...rules.matchAll(/(?:^|[\s(,>+~:\w\]])\.([a-z][\w-]*)(?=[^;{}]*\{)|@keyframes\s+([\w-]+)/gm)];
    const view = read(`games/${game}/board.js`);
    const given = [...view.matchAll(/className = "([^"]*)"|classList\.\w+\(([^)]*)|part\("([^"]*)"/g)].flatMap(
      ([, name = "", names = "", part = ""]) => [...name.split(" "), part, ...[...names.matchAll(/"([^"]+)"/g)].map(([, one]) => one)]);
    const names = [...styled.flatMap(([, name, frames]) => [name, frames]), ...given].filter(Boolean);
    assert.ok(names.length > 3, "what finds no class finds none that is wrong either");
    // A board may look different depending on its place.
    const places = ["tile", "replay", "demonstration"];
    assert.deepEqual([...new Set(names)].filter((name) => !name.startsWith(`${game}-`) && !places.includes(name)), []);
  });
}

describe("Arrow keys", () => {
  const SIZE = 10, GAP = 2, STEP = SIZE + GAP;
  const cell = (column, row, isOff = false) => ({ x: column * STEP, y: row * STEP, width: SIZE, height: SIZE, isOff });
  const press = (places, from, key) => nearest(places, from, key, lineThrough(places[from], key));

  /** A board of three columns; `#` is a hole, and the last row is not full. */
  const cells = [..."o#o" + "o#o" + "oo"].map((one, index) => cell(index % 3, Math.floor(index / 3), one === "#"));
  for (const [what, from, key, expected] of /** @type {[string, number, string, number][]} */ ([
    ["to the neighbour", 0, "ArrowDown", 3], ["over a hole", 0, "ArrowRight", 2], ["back over it", 5, "ArrowLeft", 3],
    ["not off the board", 2, "ArrowRight", -1], ["not up from the first row", 2, "ArrowUp", -1],
    ["not to a missing cell in the last row", 5, "ArrowDown", -1], ["not below the last row", 6, "ArrowDown", -1],
    ["up over holes, and then nowhere", 7, "ArrowUp", -1], ["to the first", 7, "Home", 0], ["to the last", 0, "End", 7],
    ["not by other keys", 0, "a", -1],
  ])) test(`go ${what}`, () => assert.equal(press(cells, from, key), expected));

  /** Two columns and three rows lying on their side: 0 2 4 above 1 3 5. */
  const lying = Array.from({ length: 6 }, (_, index) => cell(Math.floor(index / 2), index % 2));
  for (const [key, from, expected] of /** @type {[string, number, number][]} */ ([
    ["ArrowRight", 0, 2], ["ArrowRight", 4, -1], ["ArrowLeft", 3, 1], ["ArrowDown", 2, 3], ["ArrowDown", 3, -1],
    ["ArrowUp", 5, 4], ["Home", 3, 0], ["End", 0, 5],
  ])) {
    test(`follow the eye on a board that lies on its side: ${key} from ${from}`, () =>
      assert.equal(press(lying, from, key), expected));
  }

  /**
   * The lines between three times three dots: first the six that lie, row by row, then the six that stand. Each can be
   * pressed a little beside it too.
   */
  const lines = [0, 1, 2].flatMap((row) => [0, 1].map((column) => [column, row, true])).concat(
    [0, 1].flatMap((row) => [0, 1, 2].map((column) => [column, row, false]))).map(([column, row, lies]) => lies
    ? { x: column * 40, y: row * 40 - 10, width: 40, height: 20 } : { x: column * 40 - 10, y: row * 40, width: 20, height: 40 });

  test("reach every line between dots from any other", () => {
    for (const start of lines.keys()) {
      const reached = new Set([start]);
      for (const from of reached) {
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
          const line = lineThrough(lines[from], key);
          for (let next = nearest(lines, from, key, line); next >= 0; next = nearest(lines, next, key, line)) {
            reached.add(next);
          }
        }
      }
      assert.equal(reached.size, lines.length);
    }
  });

  test("keep to the row on which they began", () => {
    const line = lineThrough(lines[2], "ArrowRight"), path = [2];
    for (let next = 2; next >= 0;) {
      next = nearest(lines, next, "ArrowRight", line);
      if (next >= 0) path.push(next);
    }
    // The middle row: a lying line, one that stands between the two, the other lying one, and the last that stands.
    assert.deepEqual(path, [2, 7, 3, 8]);
  });
});

test("a key that is already held down moves nothing", () => {
  const heard = /** @type {Record<string, (event: any) => void>} */ ({});
  targetsOf(/** @type {any} */ ({ addEventListener: (type, hear) => { heard[type] = hear; } }), () => {});
  Object.assign(globalThis, { HTMLElement: class {}, document: { activeElement: null } });
  const isTaken = (key, repeat) => {
    let isPrevented = false;
    heard.keydown({ key, repeat, preventDefault() { isPrevented = true; } });
    return isPrevented;
  };
  assert.deepEqual([["Enter", true], ["Enter", false], ["ArrowUp", true], ["Tab", true]].map((one) => isTaken(...one)),
    [true, false, false, false]);
});

describe("A board of cards", () => {
  const [desk, phone, tablet] = [[1080, 690], [374, 620], [750, 760]];
  for (const [what, columns, rows, [width, height], expected] of
    /** @type {[string, number, number, number[], boolean][]} */ ([
      ["lies on its side on a wide screen", 2, 5, desk, true], ["and so does a long one", 4, 8, desk, true],
      ["stands on a phone", 2, 5, phone, false], ["and so does a long one there", 4, 8, phone, false],
      ["that is wide is turned upright on a phone", 8, 3, phone, true], ["and stays wide on a wide screen", 8, 3, desk, false],
      ["stays as it is if it is square", 4, 4, desk, false], ["and on a phone", 6, 6, phone, false],
      ["depends on its cards if the screen is square", 2, 5, tablet, true],
      ["does not scroll if it fits the other way", 8, 12, [303, 312], false],
      ["scrolls downwards rather than to the right", 8, 12, [303, 212], false],
      ["stays as it is while there is no space at all", 2, 5, [0, 0], false],
    ])) {
    test(what, () => assert.equal(liesOnItsSide({ columns, rows }, { width, height }), expected));
  }
});

describe("The points beside a name", () => {
  for (const [what, game, view, expected] of /** @type {[string, string, any, any][]} */ ([
    ["those of the game's module", "reversi", { counts: { 1: 7 } }, 7],
    ["the view's scores, if it has none", "memory", { scores: { 1: 4 } }, 4],
    ["none if nothing is counted", "memory", {}, undefined], ["none before a game", "reversi", null, undefined],
  ])) test(`are ${what}`, () => assert.equal(pointsOf({ room: { game }, view }, 1), expected));
});
