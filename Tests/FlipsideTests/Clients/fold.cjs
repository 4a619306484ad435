// Compares the page's own fold with the hub's, event by event: the `welcome` of a newcomer must equal what the page has
// made of the events so far. With nonces, computers, every right of a host, several games. fold.cjs BASE_URL WEB_FOLDER.
// (Debian: node-ws.)
"use strict";
const { createHash, randomBytes } = require("node:crypto");
const assert = require("node:assert");
const { Page, player, post, run } = require("./node-client.cjs");

const seen = new Set();
let compared = 0;

async function open(players, game, options) {
  const { code } = await post("/api/rooms", { game, options }, players[0].token);
  const watcher = await Page.join(code), pages = [];
  watcher.socket.on("message", (data) => {
    const { type, v } = JSON.parse(data);
    if (v) seen.add(type);
  });
  for (const { token } of players) pages.push(await Page.join(code, token));
  const compare = async () => {
    await watcher.compare();
    compared += 1;
  };
  const step = async (seat, type, fields) => {
    if (type === "answer") fields.to = watcher.state.room.proposal.v;
    const answer = await pages[seat].command(type, fields);
    await compare();
    return answer;
  };
  return { watcher, pages, step, compare };
}

const draw = () => randomBytes(16).toString("hex");
const promise = (nonce) => createHash("sha256").update(Buffer.from(nonce, "hex")).digest("hex");

async function memory(players) {
  const options = { columns: 2, rows: 3, theme: "numbers", rule: "medium", reveal: 200, turnTime: 60 };
  const { watcher, step, compare } = await open(players, "memory", options);
  const nonces = players.map(draw);
  for (const seat of [0, 1]) await step(seat, "sit", { commitment: promise(nonces[seat]) });
  await step(2, "sit");
  await step(0, "bot", { seat: 3, level: "easy" });
  await step(0, "free", { seat: 3 });
  await step(0, "options", { options: { rule: "hard", seats: 5 } });
  await step(0, "options", { options: { rule: null } });
  await step(0, "options", { options: { seats: null } });
  for (const seat of [5, 2]) await step(2, "sit", { seat });
  await step(0, "mute", { player: players[2].id });
  await step(0, "mute", { player: players[2].id, on: false });
  const openNonces = async () => {
    for (const seat of [0, 1]) {
      const next = draw();
      assert.equal((await step(seat, "ready", { nonce: nonces[seat], commitment: promise(next) })).type, "ok");
      nonces[seat] = next;
    }
  };
  const deal = async (type) => {
    await step(0, type);
    await openNonces();
  };
  await deal("start");
  // Dealt again after one card, whichever it was; then played to the end.
  await step(watcher.state.view.mover, "flip", { cell: 0 });
  await step(1, "propose", { what: "restart" });
  await step(2, "answer", { agrees: false });
  await step(0, "propose", { what: "restart" });
  for (const seat of [1, 2]) await step(seat, "answer", { agrees: true });
  await openNonces();
  for (let move = 0; move < 12 && watcher.state.room.status === "running"; move += 1) {
    const { cells, mover, up, shuffled } = watcher.state.view;
    if (up.length === 2) { await watcher.until(({ type }) => type === "turn"); await compare(); continue; }
    if (up.length === 0 && !shuffled.includes(mover)) await step(mover, "shuffle");
    await step(mover, "flip", { cell: cells.findIndex(({ state }, cell) => state === "down" && !up.includes(cell)) });
  }
  if (watcher.state.room.status === "ended") {
    await step(0, "propose", { what: "rematch" });
    await step(2, "answer", { agrees: true });
    await step(1, "answer", { agrees: true });
    await openNonces();
  }
  await step(2, "leave");
  await step(0, "ban", { player: players[1].id });
  await step(0, "ban", { player: players[1].id, on: false });
  await step(1, "sit");
  await step(0, "leave");
  await step(1, "close");
}

async function reversi(players) {
  const { watcher, pages, step } = await open(players.slice(0, 2), "reversi", { turnTime: 60 });
  for (const seat of [0, 1]) await step(seat, "sit");
  await step(0, "start");
  for (let move = 0; watcher.state.room.status === "running"; move += 1) {
    const { awaited, legal } = watcher.state.view;
    await step(awaited[0], "place", { cell: legal[move % legal.length] });
  }
  assert.equal(watcher.state.room.reason, "finished");
  await step(1, "propose", { what: "rematch" });
  await step(0, "answer", { agrees: true });
  await step(1, "resign");
  await step(0, "free", { seat: 1 });
  await step(0, "bot", { seat: 1, level: "1" });
  await step(0, "propose", { what: "rematch" });
  for (let move = 0; move < 6; move += 1) {
    while (!watcher.state.view.awaited.includes(0)) await watcher.next();
    await step(0, "place", { cell: watcher.state.view.legal[0] });
  }
  await step(0, "leave");
  for (const page of pages) page.socket.close(1000);
}

/** One player goes out of turn, and the others play on to the last line; then only one is left. */
async function dotsAndBoxes(players) {
  const { watcher, pages, step } = await open(players, "dots-and-boxes", { size: 3, seats: 3, turnTime: 60 });
  for (const seat of [0, 1, 2]) await step(seat, "sit");
  await step(0, "start");
  for (let move = 0; watcher.state.room.status === "running"; move += 1) {
    if (move === 2) assert.equal((await step(0, "resign")).type, "ok");
    const { awaited, lines } = watcher.state.view;
    await step(awaited[0], "draw", { line: lines.indexOf(null) });
  }
  assert.equal(watcher.state.room.reason, "finished");
  await step(1, "propose", { what: "rematch" });
  for (const seat of [0, 2]) await step(seat, "answer", { agrees: true });
  await step(watcher.state.view.awaited[0], "leave");
  await step(watcher.state.view.awaited[0], "resign");
  assert.equal(watcher.state.room.reason, "resigned");
  for (const page of pages) page.socket.close(1000);
}

async function main() {
  const players = [];
  for (const name of ["Ann", "Ben", "Cai"]) players.push(await player(name));
  await memory(players);
  await reversi(players);
  await dotsAndBoxes(players);
  const wanted = [
    "seat-taken", "seat-freed", "player-left", "host-changed", "options-changed", "player-muted", "player-banned", "dealing",
    "ready", "game-started", "show-card", "cards-shuffled", "proposed", "answered", "proposal-ended", "place-disc", "draw-line", "resigned", "turn", "game-ended",
    "room-closed",
  ];
  assert.equal(wanted.filter((type) => !seen.has(type)).join(), "", "some events never came");
  console.log(JSON.stringify({ compared, types: seen.size }));
}

run(main, 180);
