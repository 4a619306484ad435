// Plays a game of Memory alone, over the protocol, with Node's ws, and holds the page's own fold against every welcome:
// play.cjs BASE_URL WEB_FOLDER. (Debian: node-ws.)
"use strict";
const { createHash, randomBytes } = require("node:crypto");
const assert = require("node:assert");
const WebSocket = require("ws");
const { pageFold, poster } = require("./node-client.cjs");

const base = process.argv[2], post = poster(base);
const sha256 = (...parts) => { const hash = createHash("sha256"); parts.forEach((part) => hash.update(part)); return hash.digest(); };

async function main() {
  const fold = await pageFold(process.argv[3]);
  const token = randomBytes(32).toString("base64url");
  await post("/api/players", { name: `Node ${randomBytes(4).toString("hex")}`, token });
  const options = { columns: 2, rows: 4, theme: "numbers", reveal: 200, rule: "hard" };
  const { code } = await post("/api/rooms", { game: "memory", options }, token);

  const socket = new WebSocket(`${base.replace("http", "ws")}/ws/rooms/${code}`, "flipside.v1");
  const messages = [], waiting = [];
  let state = null, compared = 0, flips = 0;
  socket.on("message", (data, isBinary) => {
    assert(!isBinary);
    const message = JSON.parse(data);
    if (message.type === "welcome" && state && message.version === state.version) {
      assert.deepStrictEqual(message.room, state.room, "the page's room is not the hub's");
      assert.deepStrictEqual(message.view, state.view, "the page's board is not the hub's");
      compared += 1;
    }
    state = fold(state, message);
    if (waiting.length) waiting.shift()(message); else messages.push(message);
  });
  const next = () => (messages.length ? Promise.resolve(messages.shift()) : new Promise((done) => waiting.push(done)));
  const until = async (wanted) => { for (;;) { const message = await next(); if (wanted(message)) return message; } };
  await new Promise((done, failed) => { socket.on("open", done); socket.on("error", failed); });

  let count = 0;
  const send = (message) => socket.send(JSON.stringify(message));
  send({ type: "hello", token });
  await until(({ type }) => type === "welcome");
  for (const type of ["sit", "start"]) send({ type, id: `n${++count}` });
  await until(({ type }) => type === "turn");

  let known = new Map();
  const won = new Set();
  let end;
  while (!end) {
    send({ type: "shuffle", id: `n${++count}` });
    const { moves } = await until(({ type }) => type === "cards-shuffled");
    const places = new Map(moves);
    known = new Map([...known].map(([cell, face]) => [places.get(cell) ?? cell, face]));
    const down = [...Array(8).keys()].filter((cell) => !won.has(cell));
    const unknown = down.filter((cell) => !known.has(cell));
    const pair = down.flatMap((a) => down.filter((b) => a < b && known.has(a) && known.get(a) === known.get(b)).map((b) => [a, b]))[0];
    for (const cell of pair ?? [...unknown, ...down.filter((cell) => known.has(cell))].slice(0, 2)) {
      // A hub answers five times `hello` a second, and each flip is followed by one.
      await new Promise((done) => setTimeout(done, 250));
      send({ type: "flip", id: `n${++count}`, cell });
      const shown = await until(({ type }) => type === "show-card");
      send({ type: "hello", token });
      flips += 1;
      assert.equal(shown.cell, cell);
      known.set(cell, shown.face);
    }
    const after = await until(({ type }) => type === "match" || type === "hide-card");
    if (after.type === "match") after.cells.forEach((cell) => won.add(cell));
    const then = await until(({ type }) => type === "turn" || type === "game-ended");
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
  send({ type: "hello", token });
  const last = await until(({ type, version }) => type === "welcome" && version === log.length);
  assert.equal(last.head, head.toString("hex"));
  socket.close(1000);
  // One behind each flip; the last one may still be on its way.
  assert(compared >= flips, `only ${compared} welcomes were compared`);
  console.log(JSON.stringify({ events: log.length, compared, results: end.results }));
}

const limit = setTimeout(() => { console.error("took too long"); process.exit(1); }, 60_000);
main().then(() => clearTimeout(limit), (error) => { console.error(error); process.exit(1); });
