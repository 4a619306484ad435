// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { has, speak } from "../../../web/texts/texts.js";
import { statusLine, whyNot } from "../../../web/views/status-line.js";

/** A board of Memory: `-` is face down, `u` is up, `w` is won, `.` is a gap. */
const cards = (shown) => ({
  cells: [...shown].map((one) => ({ state: { "-": "down", u: "up", w: "won", ".": "gap" }[one], face: "🦊" })),
  up: [...shown].flatMap((one, cell) => (one === "u" ? [cell] : [])),
});
const begun = (game) =>
  games[game].start(/** @type {any} */ ({ options: {}, seats: [{ seat: 0 }, { seat: 1 }], first: 0 }));
/** Connect four with six discs in the first column. */
const full = { ...begun("connect-four"), cells: Array.from({ length: 42 }, (_, cell) => (cell % 7 === 0 ? 0 : null)) };

describe("Why the player to move cannot move to a cell", () => {
  for (const [what, game, view, cell, expected] of /** @type {[string, string, any, number, string][]} */ ([
    ["a card that lies face down can be turned", "memory", cards("----"), 0, ""],
    ["so can the second one", "memory", cards("u---"), 3, ""],
    ["a card that has just been turned is up", "memory", cards("u---"), 0, "error.card-is-up"],
    ["and so it is while both are visible", "memory", cards("uu--"), 1, "error.card-is-up"],
    ["a pair is already found", "memory", cards("ww--"), 1, "error.card-is-won"],
    ["there is no card", "memory", cards("----.----"), 4, "memory.card.gap"],
    ["two cards have to turn back first", "memory", cards("uu--"), 2, "error.wait-for-reveal"],
    ["a disc that turns others over can be placed", "reversi", begun("reversi"), 19, ""],
    ["a disc would turn nothing over", "reversi", begun("reversi"), 0, "error.flips-nothing"],
    ["a square is taken", "reversi", begun("reversi"), 27, "error.cell-is-taken"],
    ["a column has space, whichever of its holes is pressed", "connect-four", begun("connect-four"), 0, ""],
    ["a column is full", "connect-four", full, 7, "error.column-is-full"],
    ["the next one is not", "connect-four", full, 8, ""],
  ])) {
    test(`${game}: ${what}`, () => {
      assert.equal(games[game].whyNot(view, cell), expected);
      assert.ok(expected === "" || has(expected), "there are no words for it");
    });
  }
});

describe("Why a player cannot use a button", () => {
  const view = { seats: [0, 1], left: [], up: [], shuffled: [], mover: 0 };
  for (const [what, type, change, expected] of /** @type {[string, string, any, string][]} */ ([
    ["the cards can be shuffled", "shuffle", {}, ""],
    ["it is another player's turn", "shuffle", { mover: 1 }, "error.not-your-turn"],
    ["a card is up", "shuffle", { up: [3] }, "error.attempt-under-way"],
    ["two have to turn back", "shuffle", { up: [3, 4] }, "error.wait-for-reveal"],
    ["it was already done in this game", "shuffle", { shuffled: [0] }, "error.already-shuffled"],
    ["but alone it can be done again", "shuffle", { shuffled: [0], left: [1] }, ""],
  ])) {
    test(`${type}: ${what}`, () => {
      const button = games.memory.buttons.find((one) => one.type === type);
      assert.equal(button?.whyNot({ ...view, ...change }, 0), expected);
      assert.ok(expected === "" || has(expected), "there are no words for it");
    });
  }
});

describe("What a page says about a move that is not possible", () => {
  const players = ["ann", "ben", "cleo"].map((player, seat) => ({ seat, player }));
  const room = { game: "memory", status: "running", players, seats: players };
  const view = { ...cards("u---"), mover: 0 }, ann = { player: "ann", seat: 0 };
  for (const [what, change, cell, expected] of /** @type {[string, any, number, string][]} */ ([
    ["nothing if the move is possible", {}, 1, ""],
    ["the game's reason", {}, 0, "Already face up."],
    ["whose turn it is", { view: { ...view, mover: 1 } }, 1, "It’s Ben’s turn."],
    ["whom else the game waits for", { room: { ...room, game: "reversi" }, view: { ...view, awaited: [1, 2] } }, 1,
      "Waiting for Ben and Cleo."],
    ["that the game waits for no one", { room: { ...room, game: "reversi" }, view: { ...view, awaited: [] } }, 1,
      "Just a moment…"],
    ["that they watch", { you: { player: "dora" } }, 1, "You’re watching this game."],
    ["that they have a seat for the next game", { you: { player: "dora", seat: 2 } }, 1, "You’re watching this game."],
    ["that cards are being dealt", { room: { ...room, status: "dealing" } }, 1, "Dealing the cards…"],
    ["that it is over", { room: { ...room, status: "ended" } }, 1, "The game is over."],
    ["that the room is closed", { room: { ...room, status: "closed" } }, 1, "This room is closed."],
  ])) {
    test(what, () => {
      const state = { room, view, you: ann, names: { ann: "Ann", ben: "Ben", cleo: "Cleo" }, ...change };
      assert.equal(whyNot(/** @type {any} */ (state), cell), expected);
    });
  }
});

test("The line above the board names everyone whom the game waits for", async () => {
  const players = ["ann", "ben", "cleo"].map((player, seat) => ({ seat, player }));
  const said = (awaited, more = {}) => statusLine(/** @type {any} */ ({
    room: { game: "reversi", status: "running", players, seats: players }, view: { ...begun("reversi"), awaited, ...more },
    you: { player: "ann", seat: 0 }, names: { ann: "Ann", ben: "Ben", cleo: "Cleo" },
  }));
  assert.deepEqual([said([1]), said([1, 2]), said([0, 1, 2]), said([1, 2], { away: [1, 2] })],
    ["Ben’s turn", "Waiting for Ben and Cleo", "Your turn", "Ben and Cleo are away"]);
  for (const [language, one, several] of [
    ["de", "Ben ist am Zug", "Ben und Cleo sind am Zug"], ["es", "Le toca a Ben", "Turno de Ben y Cleo"],
    ["zh", "轮到 Ben", "轮到 Ben和Cleo"],
  ]) {
    await speak(language);
    assert.deepEqual([said([1]), said([1, 2])], [one, several]);
  }
  await speak("en");
});
