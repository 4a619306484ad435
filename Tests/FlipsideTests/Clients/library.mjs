// Uses web/client.js as its comment says, in a Node that may lack a WebSocket of its own: library.mjs BASE_URL
// WEB_FOLDER. (Debian: node-ws.)
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , base, web] = process.argv;
const { WebSocket } = createRequire(import.meta.url)("ws");
const client = await import(pathToFileURL(join(web, "client.js")).href);
const world = client.surroundings({ WebSocket });

const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
async function post(path, body) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return (await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** A connection to a room, the room's state, and a promise of each state of the connection. */
function enter(code) {
  const room = { line: null, state: null, waiting: new Map() };
  room.becomes = (state) => new Promise((done) => room.waiting.set(state, done));
  room.line = new client.RoomConnection(`${base.replace("http", "ws")}/ws/rooms/${code}`, token, {
    message: (message) => { room.state = client.fold(room.state, message); },
    state: (state, error) => room.waiting.get(state)?.(error),
  }, world);
  return room;
}

await post("/api/players", { name: `Node ${token.slice(0, 6).replace(/\W/g, "x")}`, token });
const { code } = await post("/api/rooms", { game: "memory", options: { columns: 2, rows: 3, theme: "numbers", seats: 1 } });
const room = enter(code);
for (const [type, fields] of [["sit", {}], ["start", {}], ["flip", { cell: 3 }]]) {
  assert.equal((await room.line.command(type, fields)).type, "ok");
}
assert.deepEqual(room.state.view.up, [3]);
const entries = await client.downloadLog(code, 0, (path) => fetch(base + path));
assert.equal(entries.length, room.state.version);
const findings = await client.checkRoom({ code, entries });
assert.deepEqual(findings.filter(({ result }) => result === "fails"), []);

// A command that waits when it is closed gets an answer.
const late = room.line.command("flip", { cell: 4 });
room.line.close();
assert.equal((await late).code, "closed");

// A room that does not exist.
const nowhere = enter("zzzzzz"), asked = nowhere.line.command("sit");
const error = await nowhere.becomes("ended");
assert.deepEqual([error.code, (await asked).code], ["no-such-room", "no-such-room"]);

// Nothing is left that keeps the process alive.
