// @ts-check
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { checkRoom, gameSeed, headsOf, readLog, sha256, Words } from "../../../web/client.js";
import { deal, reshuffled } from "../../../web/games/memory/deal.js";
import { verdictOf } from "../../../web/views/check-results.js";

/** Two games with nonces and a shuffle each, pairs drawn by the theme, recorded from a hub by `record_room.py`. */
const recorded = JSON.parse(readFileSync(new URL("recorded-fair-room.json", import.meta.url), "utf8"));
const { code } = recorded;
const entriesOf = (lines) => readLog(new TextEncoder().encode(lines.join("\n") + "\n"));
const heads = recorded.welcomes.map(({ version, head }) => ({ version, head }));
const brief = ({ step, result, game, version }) =>
  [step, game, result, version].filter((part) => part !== undefined).join(" ");
const check = (lines, known = heads) => checkRoom({ code, entries: entriesOf(lines), heads: known });

/** `list` with another item at `index`; older Nodes have no `with`. */
const replaced = (list, index, item) => list.map((old, place) => (place === index ? item : old));

/** The log with the first event of `type` (or of version `type`) changed. */
function altered(type, change) {
  const isIt = ({ v, ...event }) => (typeof type === "number" ? v === type : event.type === type);
  const index = recorded.lines.findIndex((line) => isIt(JSON.parse(line)));
  const event = JSON.parse(recorded.lines[index]);
  change(event);
  return { lines: replaced(recorded.lines, index, JSON.stringify(event)), version: index + 1 };
}
const otherDigit = (hex) => (hex[0] === "0" ? "1" : "0") + hex.slice(1);
const version = (type, nth = 0) =>
  recorded.lines.map((line) => JSON.parse(line)).filter((event) => event.type === type)[nth].v;

describe("Checking a room", () => {
  test("finds that everything holds if nothing was changed", async () => {
    assert.deepEqual((await check(recorded.lines)).map(brief), [
      "log holds", "chain holds",
      "commitment 1 holds", "nonces 1 holds", "deck 1 holds", "commitment 2 holds", "nonces 2 holds", "deck 2 holds",
      "unused holds",
    ]);
  });

  test("computes the hub's own head at every version that the hub sent", () => {
    const all = headsOf(code, entriesOf(recorded.lines));
    for (const { version, head } of heads) assert.equal(all[version], head);
  });

  test("leaves the chain open if no head is known", async () => {
    assert.equal(brief((await check(recorded.lines, []))[1]), "chain open");
  });

  test("says that it cannot check the deal of an unknown game", async () => {
    const lines = recorded.lines.map((line) => line.replace('"game":"memory"', '"game":"go"'));
    const undrawn = (name, value) => (["commitment", "nonce", "reveal"].includes(name) ? undefined : value);
    for (const [dealt, expected] of /** @type {[string[], string[]]} */ ([
      [lines, ["commitment 1 holds", "nonces 1 holds", "commitment 2 holds", "nonces 2 holds", "unused holds", "unknown open"]],
      [lines.map((line) => JSON.stringify(JSON.parse(line, undrawn))), ["unknown open"]],
    ])) {
      const findings = await check(dealt, []);
      assert.deepEqual(findings.map(brief).slice(2), expected);
      assert.equal(verdictOf(findings).result, "open");
      assert.match(verdictOf(findings).words, /doesn’t know the game/);
    }
  });

  test("accepts games that ended by a fault: a running one, and one that could not be dealt", async () => {
    const events = recorded.lines.map((line) => JSON.parse(line));
    const end = events.find(({ type }) => type === "game-ended"), fault = { results: [], reason: "fault" };
    const upTo = (type) => events.slice(0, version(type));
    const numbered = (list) => list.map((event, index) => JSON.stringify({ ...event, v: index + 1 }));
    const played = numbered([...upTo("show-card"), { ...end, ...fault }]);
    assert.deepEqual((await check(played, [])).map(brief).slice(2), ["commitment 1 holds", "nonces 1 holds", "deck 1 holds"]);
    const reveal = { ...end.reveal, nonces: [] };
    const undealt = numbered([...upTo("dealing"), { ...end, ...fault, reveal }]);
    assert.deepEqual((await check(undealt, [])).map(brief).slice(2), ["unused holds"]);
    const other = numbered([...upTo("dealing"), { ...end, ...fault, reveal: { ...reveal, seed: otherDigit(reveal.seed) } }]);
    assert.deepEqual((await check(other, [])).map(brief).slice(2), [`unused fails ${other.length}`]);
  });

  test("leaves an unfinished game open", async () => {
    const lines = recorded.lines.slice(0, version("game-ended") - 1);
    const told = heads.filter(({ version }) => version <= lines.length);
    assert.deepEqual((await check(lines, told)).map(brief), ["log holds", "chain holds", "commitment 1 open"]);
  });

  test("has a verdict that promises no more than was checked", async () => {
    const game = { step: "commitment", result: "open" }, chain = { step: "chain", result: "open" };
    const missing = { step: "nonces", result: "missing" }, broken = { step: "deck", result: "fails" };
    for (const [name, findings, verdict, words] of [
      ["all of a room whose games are over", (await check(recorded.lines)), "holds", /^Everything checks out/],
      ["a running game", [game], "open", /so far checks out\. The deal .* when the game is over/],
      ["no head to compare with", (await check(recorded.lines, [])), "open", /so far checks out\. The record can’t be compared/],
      ["both", [chain, game], "open", /can’t be compared .* The deal can be checked when the game is over/],
      ["a number that never came", [missing], "missing", /^It checks out, but a promised number/],
      ["a number that never came, and a running game", [missing, game], "missing", /so far checks out, but a promised/],
      ["a failure, whatever is open", [chain, missing, broken, game], "fails", /doesn’t check out/],
    ]) {
      const log = { step: "log", result: "holds" };
      const found = verdictOf(/** @type {any} */ ([log, .../** @type {any[]} */ (findings)]));
      assert.equal(found.result, verdict, String(name));
      assert.match(found.words, /** @type {RegExp} */ (words), String(name));
    }
  });

  test("finds a log that was cut off after a head this browser knows", async () => {
    const lines = recorded.lines.slice(0, version("game-ended") - 1);
    const { result, values } = (await check(lines))[1];
    assert.deepEqual([result, values?.from, values?.to], ["fails", lines.length + 1, recorded.lines.length]);
  });

  const face = (event, name) => { event.face = name; };
  const rows = [
    ["a face of another card", altered("show-card", (event) => face(event, "🍄" === event.face ? "🌵" : "🍄")),
      ({ version }) => `deck 1 fails ${version}`],
    ["a shuffle that the words do not give", altered("cards-shuffled", (event) => event.moves.reverse()),
      ({ version }) => `deck 1 fails ${version}`],
    ["another nonce", altered("game-started", (event) => { event.seats[0].nonce = otherDigit(event.seats[0].nonce); }),
      ({ version }) => `nonces 1 fails ${version}`],
    ["a promise that no one made",
      altered("seat-taken", (event) => { event.commitment = otherDigit(event.commitment); }),
      () => `nonces 1 fails ${version("dealing")}`],
    ["a nonce that differs at the end",
      altered("game-ended", (event) => { event.reveal.nonces[1].nonce = otherDigit(event.reveal.nonces[1].nonce); }),
      ({ version }) => `nonces 1 fails ${version}`],
    ["a nonce that is missing at the end", altered("game-ended", (event) => event.reveal.nonces.pop()),
      ({ version }) => `nonces 1 fails ${version}`],
    ["another seed", altered("game-ended", (event) => { event.reveal.seed = otherDigit(event.reveal.seed); }),
      ({ version }) => `commitment 1 fails ${version}`],
    ["no seed at all", altered("game-ended", (event) => { delete event.reveal; }),
      ({ version }) => `commitment 1 fails ${version}`],
    ["another commitment", altered("room-opened", (event) => { event.commitment = otherDigit(event.commitment); }),
      () => `commitment 1 fails ${version("game-ended")}`],
    ["fewer pairs than were drawn", altered("game-started", (event) => { event.board.pairs -= 1; }),
      ({ version }) => `deck 1 fails ${version}`],
    ["another order of faces", altered("game-started", (event) => event.theme.faces.reverse()),
      ({ version }) => `deck 1 fails ${version}`],
    ["an opened nonce that was left out", altered("game-started", (event) => { delete event.seats[1].nonce; }),
      ({ version }) => `nonces 1 fails ${version}`],
    ["no commitment for a game with a deal", altered("room-opened", (event) => { delete event.commitment; }),
      () => `commitment 1 fails ${version("game-started")}`],
    ["invalid nonces", altered("game-ended", (event) => { event.reveal.nonces = {}; }),
      ({ version }) => `fold fails ${version}`],
    ["the second game's seed",
      altered(version("game-ended", 1), (event) => { event.reveal.seed = otherDigit(event.reveal.seed); }),
      ({ version }) => `commitment 2 fails ${version}`],
    ["the seed of a game that was never played",
      altered("room-closed", (event) => { event.reveal.seed = otherDigit(event.reveal.seed); }),
      ({ version }) => `unused fails ${version}`],
    ["a time that runs backwards", altered(20, (event) => { event.t -= 1_000_000; }),
      ({ version }) => `log fails ${version}`],
    ["a version twice", altered(20, (event) => { event.v -= 1; }), ({ version }) => `log fails ${version}`],
    ["an event that no fold can follow", altered("match", (event) => { delete event.cells; }),
      ({ version }) => `fold fails ${version}`],
  ];
  for (const [name, change, expected] of /** @type {any[]} */ (rows)) {
    test(`finds ${name}`, async () => {
      const found = (await check(change.lines)).filter(({ result }) => result === "fails").map(brief);
      assert.ok(found.includes(expected(change)), found.join(", "));
      // The chain shows it, no matter what else is wrong.
      assert.ok(found.some((finding) => finding.startsWith("chain fails")), found.join(", "));
    });
  }

  test("finds two faces that were swapped, by the first card that shows one of them", async () => {
    const [a, b] = [version("show-card"), version("show-card", 1)];
    const faces = [a, b].map((v) => JSON.parse(recorded.lines[v - 1]).face);
    assert.notEqual(faces[0], faces[1]);
    const first = altered(a, (event) => face(event, faces[1])).lines;
    const lines = replaced(first, b - 1, altered(b, (event) => face(event, faces[0])).lines[b - 1]);
    assert.ok((await check(lines)).map(brief).includes(`deck 1 fails ${a}`));
  });

  test("finds every single changed byte between noted heads", async () => {
    const bytes = new TextEncoder().encode(recorded.lines[29]);
    const before = heads.filter(({ version }) => version < 30).at(-1);
    const after = heads.find(({ version }) => version >= 30);
    for (let index = 0; index < bytes.length; index++) {
      const entries = entriesOf(recorded.lines);
      entries[29] = { bytes: replaced(bytes, index, bytes[index] ^ 1), event: entries[29].event };
      const { result, values } = (await checkRoom({ code, entries, heads }))[1];
      assert.deepEqual([result, values], ["fails", { from: before.version + 1, to: after.version }]);
    }
  });

  test("finds a missing line, and one that is not an event", async () => {
    assert.equal(brief((await check(recorded.lines.filter((_, index) => index !== 40)))[0]), "log fails 41");
    assert.equal(brief((await check(replaced(recorded.lines, 40, "[]")))[0]), "log fails 41");
    assert.equal(brief((await check([]))[0]), "log fails 1");
  });

  test("says how many promised nonces are missing", async () => {
    const { lines: begun } = altered("game-started", (event) => { delete event.seats[1].nonce; });
    const silent = begun.findIndex((line) => JSON.parse(line).type === "ready" && JSON.parse(line).seat === 1);
    const lines = replaced(begun, silent, JSON.stringify({ ...JSON.parse(begun[silent]), nonce: undefined }));
    const end = version("game-ended") - 1, event = JSON.parse(lines[end]);
    event.reveal.nonces.pop();
    const found = (await check(replaced(lines, end, JSON.stringify(event)))).find(({ step }) => step === "nonces");
    assert.deepEqual([found?.result, found?.values?.count], ["missing", 1]);
  });
});

describe("Sealed moves", () => {
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const sealed = hex(new TextEncoder().encode("a salt of 32 bytes, as it should" + '{"card":7}'));
  const bytes = (text) => Uint8Array.from(text.match(/../g).map((pair) => parseInt(pair, 16)));
  const seal = sha256(bytes(sealed));
  const logOf = (...events) => [
    { type: "room-opened", game: "go", options: { seats: 1 }, visibility: "unlisted", host: "ann" },
    { type: "seat-taken", seat: 0, player: "ann" },
    { type: "game-started", number: 1, options: { seats: 1, turnTime: 0 }, seats: [{ seat: 0, player: "ann" }], first: 0 },
    { type: "stone-hidden", seat: 0, seal }, ...events,
  ].map((event, index) => JSON.stringify({ v: index + 1, t: index, ...event }));
  const end = (reveal) => ({ type: "game-ended", game: "go", mode: "", number: 1, results: [], reason: "finished", reveal });
  const found = async (lines, heads = []) =>
    (await checkRoom({ code, entries: entriesOf(lines), heads })).map(brief).slice(1);

  test("are what was opened at the end, in a game that is not dealt", async () => {
    const lines = logOf(end({ seals: [{ v: 4, sealed }] }));
    assert.deepEqual(await found(lines), ["chain open", "seals 1 holds", "unknown open"]);
  });

  for (const [what, seals] of /** @type {[string, any][]} */ ([
    ["another", [{ v: 4, sealed: sealed.replace(/37/, "38") }]], ["one that was never opened", []], ["none", undefined],
  ])) test(`are told from ${what}`, async () => assert.deepEqual((await found(logOf(end({ seals }))))[1], "seals 1 fails 4"));

  test("are open until the end", async () => assert.deepEqual((await found(logOf()))[1], "seals 1 open"));

  test("are part of the chain", async () => {
    const lines = logOf(), [before, after] = headsOf(code, entriesOf(lines)).slice(3);
    const parts = [before, sha256(new TextEncoder().encode(lines[3])), seal];
    assert.equal(after, sha256(bytes(parts.join(""))));
  });
});

describe("The cards of the examples in ProtocolFairness.md are dealt", () => {
  const page = readFileSync(new URL("../../../Sources/Hub/Hub.docc/ProtocolFairness.md", import.meta.url), "utf8");
  /** The values of an example, by their names. */
  const example = (/** @type {string} */ name) => Object.fromEntries(
    page.split(`<!-- vector: ${name} -->\n\`\`\`text\n`)[1].split("\n```")[0].split("\n").map((line) => line.split(/ *= /)));
  const faces = Array.from({ length: 48 }, (_, i) => String(i + 1));

  for (const name of ["deck", "shuffle"]) {
    test(name, () => {
      const given = example(name);
      const nonces = [0, 1].filter((seat) => given[`nonce ${seat}`]).map((seat) => ({ seat, nonce: given[`nonce ${seat}`] }));
      const seed = gameSeed(given.seed, nonces);
      assert.equal(seed, given.gameSeed);
      const first = new Words(seed), words = new Words(seed);
      assert.equal(given.words.split(" ").map(() => first.next().toString(16).padStart(8, "0")).join(" "), given.words);
      assert.equal(deal({ theme: { faces }, board: { pairs: 3 } }, words).deck.join(" "), given.deck);
      if (given.moves) assert.equal(JSON.stringify(reshuffled([0, 1, 2, 3, 4, 5], words)), given.moves);
    });
  }
});
