// Plays a game of Memory alone, over the protocol, with Node's ws; compares the page's own fold with a newcomer's
// `welcome` after each flip, and proves the game's chain: play.cjs BASE_URL WEB_FOLDER. (Debian: node-ws.)
"use strict";
const { createHash } = require("node:crypto");
const assert = require("node:assert");
const { Page, base, player, post, run } = require("./node-client.cjs");

const sha256 = (...parts) => { const hash = createHash("sha256"); parts.forEach((part) => hash.update(part)); return hash.digest(); };

async function main() {
  const { token } = await player("Node");
  const options = { columns: 2, rows: 4, theme: "numbers", reveal: 200, rule: "hard" };
  const { code } = await post("/api/rooms", { game: "memory", options }, token);
  const page = await Page.join(code, token);
  const send = (type, fields) => page.socket.send(JSON.stringify({ type, id: `n${++page.count}`, ...fields }));
  for (const type of ["sit", "start"]) send(type);
  await page.until(({ type }) => type === "turn");

  let known = new Map(), end;
  const won = new Set();
  while (!end) {
    send("shuffle");
    const { moves } = await page.until(({ type }) => type === "cards-shuffled");
    const places = new Map(moves);
    known = new Map([...known].map(([cell, face]) => [places.get(cell) ?? cell, face]));
    const down = [...Array(8).keys()].filter((cell) => !won.has(cell));
    const unknown = down.filter((cell) => !known.has(cell));
    const pair = down.flatMap((a) => down.filter((b) => a < b && known.has(a) && known.get(a) === known.get(b)).map((b) => [a, b]))[0];
    for (const cell of pair ?? [...unknown, ...down.filter((cell) => known.has(cell))].slice(0, 2)) {
      send("flip", { cell });
      const shown = await page.until(({ type }) => type === "show-card");
      await page.compare();
      assert.equal(shown.cell, cell);
      known.set(cell, shown.face);
    }
    const after = await page.until(({ type }) => type === "match" || type === "hide-card");
    if (after.type === "match") after.cells.forEach((cell) => won.add(cell));
    const then = await page.until(({ type }) => type === "turn" || type === "game-ended");
    if (then.type === "game-ended") end = then;
  }
  const log = (await (await fetch(`${base}/api/rooms/${code}/log`)).text()).trim().split("\n");
  const events = log.map((line) => JSON.parse(line));
  assert.equal(sha256(Buffer.from(end.reveal.seed, "hex")).toString("hex"), events[0].commitment);
  let head = sha256(`room/${code}`);
  log.forEach((line, index) => {
    const sealed = events[index].commitment ? Buffer.from(events[index].commitment, "hex") : Buffer.alloc(0);
    head = sha256(head, sha256(line), sealed);
  });
  assert.deepEqual(await page.compare(), { version: log.length, head: head.toString("hex") });
  console.log(JSON.stringify({ events: log.length, results: end.results }));
}

run(main, 180);
