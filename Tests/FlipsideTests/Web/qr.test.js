// @ts-check
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { penalty, qr } from "../../../web/qr/qr.js";

/** For each text and mask, the digest of the code that Python's `qrcode` 8.2 draws: rows of 0 and 1. */
const known = JSON.parse(readFileSync(new URL("qr-codes.json", import.meta.url), "utf8"));
const drawing = (code, dark = "1", light = "0") =>
  code.map((row) => row.map((isDark) => (isDark ? dark : light)).join("")).join("\n");

describe("A QR code, ISO/IEC 18004", () => {
  test("of one letter, module by module", () => {
    assert.equal(drawing(qr("a", 5), "#", "."), [
      "#######..#.##.#######",
      "#.....#.#.##..#.....#",
      "#.###.#.##.#..#.###.#",
      "#.###.#.#.##..#.###.#",
      "#.###.#..#..#.#.###.#",
      "#.....#...##..#.....#",
      "#######.#.#.#.#######",
      "........##...........",
      "#.....#.#.##.##..###.",
      "#..##......###.###..#",
      "..#.###..##.#.##.....",
      ".#.#.#.##..#####.#.#.",
      "##.#..####.##########",
      "........##..#.....#.#",
      "#######..###.#..####.",
      "#.....#...#...#...###",
      "#.###.#..###.#..###..",
      "#.###.#..#.#####.#...",
      "#.###.#..#.###.###.##",
      "#.....#...######.#...",
      "#######.#.#.#..#..##.",
    ].join("\n"));
  });

  for (const { text, version, digests } of known) {
    test(`of ${text.length} characters has version ${version}, and equals another encoder's for every mask`, () => {
      assert.equal(qr(text).length, 17 + 4 * version);
      const drawn = digests.map((_, mask) => createHash("sha256").update(drawing(qr(text, mask))).digest("hex"));
      assert.deepEqual(drawn, digests);
    });
  }

  test("has the mask with the least penalty", () => {
    const codes = Array.from({ length: 8 }, (_, mask) => qr("https://flipside.example/room/k3m7pq", mask));
    const least = Math.min(...codes.map(penalty));
    assert.equal(penalty(qr("https://flipside.example/room/k3m7pq")), least);
  });

  test("is refused for more than version 10 holds", () => {
    assert.equal(qr("x".repeat(213)).length, 57);
    assert.throws(() => qr("x".repeat(214)), RangeError);
  });
});

describe("The penalty, 7.8.3", () => {
  const rows = (...lines) => lines.map((line) => [...line].map((sign) => sign === "#"));
  for (const [name, code, points] of /** @type {[string, boolean[][], number][]} */ ([
    ["of a chequered square is 0", rows("#.#.", ".#.#", "#.#.", ".#.#"), 0],
    ["counts squares of one colour", rows("##", "##"), 3 + 100],
    ["counts runs from five on, and the balance",
      rows("#####.", ".#.#.#", "#.#.#.", ".#.#.#", "#.#.#.", ".#.#.#"), 3 + 10],
  ])) test(name, () => assert.equal(penalty(code), points));
});
