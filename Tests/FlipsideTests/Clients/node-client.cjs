// What the Node clients share: HTTP, players, connections to rooms, and the page's own fold. (Debian: node-ws.)
"use strict";
const { randomBytes } = require("node:crypto");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const assert = require("node:assert");
const WebSocket = require("ws");

/** The hub, and the page's folder. */
const [, , base, web] = process.argv;

/** Posts to the hub; resolves to the answer. */
async function post(path, body, token) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  assert(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

/** A new player whose name starts with `name`. */
async function player(name) {
  const token = randomBytes(32).toString("base64url");
  return { token, ...(await post("/api/players", { name: `${name} ${randomBytes(4).toString("hex")}`, token })) };
}

/** A module of the page. */
const pageModule = (path) => import(pathToFileURL(join(web, path)));

/** A connection to a room: its messages one by one, and the page's fold of them. */
class Page {
  /** A welcomed one; without a token it is a spectator. */
  static async join(code, token) {
    const page = new Page(code, (await pageModule("games/room.js")).fold);
    await new Promise((done, failed) => { page.socket.on("open", done); page.socket.on("error", failed); });
    page.socket.send(JSON.stringify({ type: "hello", ...(token && { token }) }));
    page.welcome = await page.until(({ type }) => type === "welcome");
    return page;
  }

  constructor(code, fold) {
    this.code = code;
    this.states = new Map();
    this.messages = [];
    this.waiting = [];
    this.count = 0;
    this.state = null;
    this.socket = new WebSocket(`${base.replace("http", "ws")}/ws/rooms/${code}`, "flipside.v1");
    this.socket.on("message", (data, isBinary) => {
      assert(!isBinary);
      const message = JSON.parse(data);
      this.state = fold(this.state, message);
      if (this.state) this.states.set(this.state.version, this.state);
      if (this.waiting.length) this.waiting.shift()(message); else this.messages.push(message);
    });
  }

  next() {
    return this.messages.length ? Promise.resolve(this.messages.shift()) : new Promise((done) => this.waiting.push(done));
  }

  async until(wanted) { for (;;) { const message = await this.next(); if (wanted(message)) return message; } }

  async command(type, fields = {}) {
    const id = `f${++this.count}${randomBytes(4).toString("hex")}`;
    this.socket.send(JSON.stringify({ type, id, ...fields }));
    return this.until((message) => message.id === id);
  }

  /** A newcomer's `welcome` at some version equals this page's fold of the events up to it. */
  async compare() {
    const newcomer = await Page.join(this.code);
    const { version, room, view, head } = newcomer.welcome;
    newcomer.socket.terminate();
    while (this.state.version < version) await new Promise((done) => this.socket.once("message", done));
    const own = this.states.get(version);
    assert.deepStrictEqual(own.room, room, `the page's room at ${version} is not the hub's`);
    assert.deepStrictEqual(own.view, view, `the page's board at ${version} is not the hub's`);
    return { version, head };
  }
}

/** Runs a client to its end, for at most so many seconds. */
function run(main, seconds) {
  setTimeout(() => { console.error("took too long"); process.exit(1); }, seconds * 1_000);
  main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
}

module.exports = { Page, base, pageModule, player, post, run };
