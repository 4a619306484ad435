// @ts-check
import { gameOf } from "../games/list.js";
import { isolated, text } from "../texts/texts.js";
import { headline, medalOf, placed } from "./ending.js";
import { nameOf, whoIs } from "./names.js";

/**
 * @typedef {import("../games/room.js").RoomState} RoomState
 * @typedef {import("../games/game.js").Row} Row
 */

/**
 * What came of a game, to somebody who was not there: who has won, what each has scored.
 * @param {RoomState} state
 */
export function summary(state) {
  const { room } = state, results = placed(state.room.results ?? []);
  // Nobody is "you" to whom it is shown.
  const title = headline({ ...state, you: { isHost: false } }, results);
  const lines = results.map((result) => ({
    medal: medalOf(room, result), name: isolated(nameOf(state, result.player)), score: String(result.score),
    seat: result.seat,
  }));
  return { game: text(gameOf(room.game).title || room.game), title, lines };
}

/**
 * The same as a short text, with rows of squares.
 * @param {RoomState} state
 * @param {Row[]} rows
 * @param {string} link
 */
export function resultText(state, rows, link) {
  const { game, title, lines } = summary(state), results = state.room.results ?? [];
  const nameAt = (/** @type {number} */ seat) =>
    isolated(whoIs(state, results.find((result) => result.seat === seat)?.player).name);
  const scores = lines.map(({ medal, name, score }) => `${medal} ${name} ${score}`.trim());
  // Each player's name once, above the first row.
  const squares = rows.flatMap(({ seat, squares }, index) =>
    (seat !== undefined && seat !== rows[index - 1]?.seat ? [nameAt(seat), squares] : [squares]));
  return [`Flipside · ${game}`, title, ...scores, "", ...squares, "", link].join("\n");
}
