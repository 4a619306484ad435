// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import "./scripted-storage.js";
import { turnClock } from "../../../web/views/clock.js";

/** As much of an element as the view uses. */
class Scripted {
  hidden = false;
  textContent = "";
  dataset = /** @type {Record<string, string>} */ ({});
  children = /** @type {Scripted[]} */ ([]);
  values = {};
  style = {
    getPropertyValue: (/** @type {string} */ name) => this.values[name] ?? "",
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => { this.values[name] = value; },
  };
  left = /** @type {any} */ (null);
  querySelector() { return this.left ??= new Scripted(); }
}

/** The clock of a page that shows the players in `seats`. */
function clockOf(/** @type {number[]} */ ...seats) {
  const [players, clock] = /** @type {any[]} */ ([new Scripted(), new Scripted()]);
  players.children = seats.map((seat) => Object.assign(new Scripted(), { dataset: { seat: String(seat) } }));
  return { draw: turnClock(players, clock), clock, players: players.children };
}

/** What the clock shows at these times of a turn of ten seconds: how much of it is left, and in words. */
function shown(/** @type {boolean} */ isStill, /** @type {number[]} */ times) {
  Object.assign(globalThis, { matchMedia: () => ({ matches: isStill }) });
  const { draw, clock, players: [player] } = clockOf(0);
  const state = /** @type {any} */ (
    { you: { seat: 0 }, room: { status: "running", game: "reversi" }, view: { options: { turnTime: 10 }, deadline: 20_000 } });
  return times.map((time) => {
    draw(state, time);
    assert.equal(player.values["--left"], clock.values["--left"]);
    return [clock.values["--left"], clock.left.textContent];
  });
}

describe("The time of a turn", () => {
  test("runs down smoothly", () => {
    assert.deepEqual(shown(false, [10_000, 10_200, 11_000, 19_900]),
      [["1.0000", "10 s"], ["0.9800", "10 s"], ["0.9000", "9 s"], ["0.0100", "1 s"]]);
  });

  test("runs down with its figure if less motion is wanted", () => {
    assert.deepEqual(shown(true, [10_000, 10_200, 11_000, 19_900, 20_000]),
      [["1.0000", "10 s"], ["1.0000", "10 s"], ["0.9000", "9 s"], ["0.1000", "1 s"], ["0.0000", "0 s"]]);
  });

  test("is each player's own in a race, and the viewer's on the clock", () => {
    Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
    const { draw, clock, players } = clockOf(0, 1);
    const view = { options: { turnTime: 5 }, attempts: { 0: { cells: [0], until: 15_000 } }, awaited: [0, 1] };
    const shown = (/** @type {number} */ seat, /** @type {number} */ time) => {
      draw(/** @type {any} */ ({ you: { seat }, room: { status: "running", game: "memory" }, view }), time);
      const { dataset: { runs, short }, values } = clock;
      return [...players.map((/** @type {Scripted} */ one) => one.values["--left"]), values["--left"], runs, short, clock.left.textContent];
    };
    assert.deepEqual(shown(0, 12_500), ["0.5000", "1.0000", "0.5000", "true", "false", "3 s"]);
    assert.deepEqual(shown(0, 12_501), ["0.4998", "1.0000", "0.4998", "true", "true", "3 s"]);
    assert.deepEqual(shown(1, 12_501), ["0.4998", "1.0000", "1.0000", "false", "false", ""]);
  });
});
