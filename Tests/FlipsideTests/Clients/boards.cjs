// Compares the page's prediction of a board with the board that the hub deals, for every theme: boards.cjs BASE_URL
// WEB_FOLDER. (Debian: node-ws.)
"use strict";
const assert = require("node:assert");
const { Page, base, pageModule, player, post, run } = require("./node-client.cjs");

const SHAPES = [{ columns: 8, rows: 12 }, { columns: 5, rows: 5 }, { preset: "custom", columns: 6 }, { pairs: 17 }, {}];

/** The `game-started` of a room with these options. */
async function started(token, options) {
  const { code } = await post("/api/rooms", { game: "memory", options: { ...options, seats: 1 } }, token);
  const page = await Page.join(code, token);
  assert.equal((await page.command("sit")).type, "ok");
  page.socket.send(JSON.stringify({ type: "start", id: "start" }));
  const event = await page.until(({ type }) => type === "game-started" || type === "error");
  assert.equal(event.type, "game-started", event.message);
  page.socket.terminate();
  return event;
}

async function main() {
  const { cutBoard, FACES } = await pageModule("games/memory/faces.js");
  const { token } = await player("Ann");
  const refused = await fetch(base + "/api/rooms", {
    method: "POST", headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ game: "memory", options: { theme: "?" } }),
  });
  const { choices } = await refused.json();
  assert.deepEqual(choices.filter((name) => name !== "random").sort(), Object.keys(FACES).sort(), "the hub's themes");
  let cuts = 0, count = 0;
  for (const [index, theme] of choices.entries()) {
    // A player may open 100 rooms a day: two boards for each theme, in turn.
    for (const shape of theme === "random" ? SHAPES : [SHAPES[0], SHAPES[1 + (index % 4)]]) {
      const options = { ...shape, theme }, cut = cutBoard(options);
      const { board, theme: { name, faces } } = await started(token, options);
      assert.equal(faces.length, FACES[name], name);
      const asked = shape.pairs ?? Math.floor((shape.columns ?? 4) * (shape.rows ?? 4) / 2);
      if (cut?.isDrawn) assert(board.columns * board.rows >= cut.columns * cut.rows, JSON.stringify({ options, board, cut }));
      else if (cut) assert.deepEqual([board.columns, board.rows], [cut.columns, cut.rows], JSON.stringify(options));
      else assert(board.pairs === asked, JSON.stringify({ options, board }));
      if (cut) cuts++;
      count++;
    }
  }
  assert(cuts > 20 && cuts < count);
  console.log(`${count} boards, ${cuts} of them said to be cut`);
}

run(main, 180);
