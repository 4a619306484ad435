// Reads whole rooms with the page's modules: read-logs.mjs WEB_FOLDER < rooms, each with its `code`, the `lines` of its log,
// and all `welcomes` and `hands` sent there. Reports each view that differs from the page's fold, each hand that a replay
// would not show, and each check of a game that fails.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.argv[2], path)).href);
const [{ Timeline }, { gameOf }, { ReplayHands }, { checkRoom }] = await Promise.all(
  ["client.js", "games/list.js", "games/replay-hands.js", "games/check.js"].map(load));

for (const { code, lines, welcomes, hands } of JSON.parse(readFileSync(0, "utf8"))) {
  const events = lines.map((line) => JSON.parse(line));
  compareViews(code, events, welcomes);
  await compareHands(code, events, hands);
  await check(code, lines, welcomes);
}

function compareViews(code, events, welcomes) {
  const timeline = new Timeline(code);
  for (const event of events) assert.ok(timeline.add(event));
  for (const { version, room, view } of welcomes) {
    const own = timeline.at(version), { type } = events[version - 1];
    const wrong = `web/games and the hub's view differ after ${type}, version ${version} of ${code}`;
    assert.deepEqual({ room: own.room, view: own.view }, { room, view }, wrong);
  }
}

/** A hand is dealt again once its game has ended. */
async function compareHands(code, events, hands) {
  if (hands.length === 0) return;
  const { game } = events[0], replay = new ReplayHands(events, (await gameOf(game).hands()).handsOf);
  const last = events.findLast(({ type }) => type === "game-ended")?.v ?? 0;
  for (const { v, seat, hand } of hands.filter(({ v }) => v < last)) {
    assert.deepEqual(replay.at(v)[seat], hand, `hands.js of ${game} deals another hand to seat ${seat} at version ${v} of ${code}`);
  }
}

async function check(code, lines, welcomes) {
  const entries = lines.map((line) => ({ bytes: new TextEncoder().encode(line), event: JSON.parse(line) }));
  const found = await checkRoom({ code, entries, heads: welcomes.map(({ version, head }) => ({ version, head })) });
  assert.deepEqual(found.filter(({ result }) => result === "fails"), [], `the check of ${code} fails, of ${entries[0].event.game}`);
}
