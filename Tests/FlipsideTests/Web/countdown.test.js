// @ts-check
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { storage } from "./scripted-storage.js";
import { startCountdown } from "../../../web/pages/room-countdown.js";

const people = ["ann", "ben"];
let now = 1_000;
Object.assign(globalThis, { window: { setTimeout: () => 0 } });
performance.now = () => now;

/** The page of Ann, the host of a quick game with Ben. */
function pageOfHost({ code = "abcdef" } = {}) {
  const asked = /** @type {string[]} */ ([]);
  const room = /** @type {any} */ ({
    code,
    command: async (type) => {
      asked.push(type);
      return { type: "ok" };
    },
    state: { you: { player: "ann", seat: 0, isHost: true } },
  });
  const count = startCountdown(room, () => {}, () => {});
  /** What the page says if these people are here. */
  const words = (/** @type {string[]} */ here = people, seated = people) => {
    const seats = seated.map((player, seat) => ({ seat, player }));
    room.state = {
      ...room.state, room: { visibility: "seeking", status: "waiting", seats },
      presence: { players: here, spectators: 0 },
    };
    return count.words();
  };
  return { asked, words, stop: count.stop };
}

describe("A quick game that its host has postponed", () => {
  beforeEach(() => { storage.shared.clear(); });

  test("starts by itself if it was not postponed", () => {
    const { asked, words } = pageOfHost();
    assert.match(words(), /3/);
    now += 3_000;
    assert.deepEqual([words(), asked], ["", ["start"]]);
  });

  for (const [what, again] of /** @type {[string, (page: ReturnType<typeof pageOfHost>) => typeof page][]} */ ([
    ["the guest’s phone has been locked and wakes", (page) => {
      page.words(["ann"]);
      return page;
    }],
    ["the host’s page is reloaded, or is open twice", () => pageOfHost()],
    ["they change places", (page) => {
      page.words(people, ["ben", "ann"]);
      return page;
    }],
  ])) {
    test(`does not start when ${what}`, () => {
      const first = pageOfHost();
      first.words();
      first.stop();
      const page = again(first);
      assert.equal(page.words(), "");
      now += 3_000;
      assert.deepEqual([page.words(), page.asked], ["", []]);
    });
  }

  test("starts with another player, or in another room", () => {
    const { words, stop } = pageOfHost();
    words();
    stop();
    assert.notEqual(words(["ann", "cy"], ["ann", "cy"]), "");
    assert.notEqual(pageOfHost({ code: "ghjkmn" }).words(), "");
  });
});
