// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { games } from "../../../web/games/room.js";
import { boardStyles } from "../../../web/views/boards.js";

test("each game has a board, and the page brings in its style sheet", () => {
  const wanted = Object.keys(games).map((name) => `${name}-board`);
  const early = readFileSync(new URL("../../../web/early.js", import.meta.url), "utf8");
  const named = JSON.parse(early.match(/^const boards = (.*);$/m)?.[1] ?? "[]");
  assert.deepEqual(boardStyles, wanted);
  assert.deepEqual(named, wanted);
});
