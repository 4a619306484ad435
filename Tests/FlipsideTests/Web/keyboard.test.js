// @ts-check
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { leadKeyboard } from "../../../web/pages/room-keyboard.js";

/** A button of the board, which can have the focus. */
const button = (target) => ({
  dataset: { target: String(target) }, tabIndex: -1, closest: () => null, matches: () => false,
  focus() { page.activeElement = this; },
});
const [rank, player] = [button(6), { ...button(14), tabIndex: 0 }], body = { closest: () => null };
const board = { querySelectorAll: () => [rank, player] };
const page = /** @type {any} */ ({
  body, activeElement: body, querySelector: () => null, getElementById: (id) => (id === "board" ? board : null),
});
const before = globalThis.document;
Object.assign(globalThis, { document: page });
after(() => { Object.assign(globalThis, { document: before }); });

/** Ann's page in a game of Go Fish, in which it is her turn. */
const seats = [{ seat: 0, player: "ann" }, { seat: 1, player: "ben" }];
const started = /** @type {any} */ ({ options: {}, seats, first: 0 });
const running = /** @type {any} */ ({
  room: { game: "go-fish", status: "running", players: seats, seats }, you: { player: "ann", seat: 0 }, names: {},
  view: { ...games["go-fish"].start(started), awaited: [0] },
});
const hand = { cards: ["7♠"] };

describe("The keyboard in a game with hands", () => {
  test("is led to the board once the hand has come", () => {
    page.activeElement = body;
    const lead = leadKeyboard();
    lead(body, { ...running, room: { ...running.room, status: "waiting" }, view: null });
    lead(body, running);
    assert.equal(page.activeElement, body);
    lead(body, { ...running, hand });
    assert.equal(page.activeElement, rank);
  });

  test("waits for the hand again after a greeting that has emptied it", () => {
    page.activeElement = body;
    const lead = leadKeyboard();
    lead(body, { ...running, hand });
    page.activeElement = body;
    const hidden = /** @type {any} */ ({ closest: () => hidden });
    lead(hidden, running);
    assert.equal(page.activeElement, body);
    lead(body, { ...running, hand });
    assert.equal(page.activeElement, rank);
  });

  test("does not wait if its player only watches", () => {
    page.activeElement = body;
    const lead = leadKeyboard(), watching = { ...running, you: { player: "eve" } };
    lead(body, { ...watching, room: { ...running.room, status: "waiting" }, view: null });
    lead(/** @type {any} */ ({ closest: () => true }), watching);
    assert.equal(page.activeElement, player);
  });
});
