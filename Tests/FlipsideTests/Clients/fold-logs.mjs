// Compares the page's fold of whole rooms with the hub's: fold-logs.mjs WEB_FOLDER < rooms, each with its `code`, the
// `events` of its log and all `welcomes` sent there. Reports each welcome that differs from the page's fold.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Timeline } = await import(pathToFileURL(join(process.argv[2], "client.js")).href);

for (const { code, events, welcomes } of JSON.parse(readFileSync(0, "utf8"))) {
  const timeline = new Timeline(code);
  for (const event of events) assert.ok(timeline.add(event));
  for (const { version, room, view } of welcomes) {
    const own = timeline.at(version), { type } = events[version - 1];
    const wrong = `web/games and the hub's view differ after ${type}, version ${version} of ${code}`;
    assert.deepEqual({ room: own.room, view: own.view }, { room, view }, wrong);
  }
}
