// @ts-check
import { gameOf } from "../games/list.js";
import { DISCS, squareOf } from "../games/squares.js";
import { isolated, text } from "../texts/texts.js";
import { headline, medalOf, placed } from "./ending.js";
import { nameOf, whoIs } from "./names.js";

/**
 * @typedef {import("../games/room.js").RoomState} RoomState
 * @typedef {import("../games/game.js").Row} Row
 */

/**
 * The outcome of a game, for people who were not there: the winner, and each player's score.
 * @param {RoomState} state
 */
export function summary(state) {
  const { room } = state, results = placed(state.room.results ?? []);
  // No reader of a shared result is "you".
  const title = headline({ ...state, you: { isHost: false } }, results);
  const lines = results.map((result) => ({
    medal: medalOf(room, result), name: isolated(nameOf(state, result.player)), score: String(result.score),
    seat: result.seat, disc: discOf(state, result.seat),
  }));
  return { game: text(gameOf(room.game).title || room.game), title, lines };
}

/** Which of two colours of pieces a seat has played; undefined if pieces have the colours of seats. */
function discOf(/** @type {RoomState} */ { room, view }, /** @type {number} */ seat) {
  const disc = view ? gameOf(room.game).disc?.(view, seat) : undefined;
  return disc === "seat" ? undefined : disc;
}

/**
 * The same as a short text, with rows of squares, in which each player has a sign that also stands before the name.
 * @param {RoomState} state
 * @param {Row[]} rows
 * @param {string} link
 */
export function resultText(state, rows, link) {
  const { game, title, lines } = summary(state), results = state.room.results ?? [];
  const nameAt = (/** @type {number} */ seat) =>
    isolated(whoIs(state, results.find((result) => result.seat === seat)?.player).name);
  const signOf = (/** @type {typeof lines[0]} */ { seat, disc }) =>
    rows.length === 0 ? "" : disc ? DISCS[disc] : squareOf(seat);
  const scores = lines.map((line) => [line.medal, signOf(line), line.name, line.score].filter(Boolean).join(" "));
  // Each player's name once, above the first row.
  const squares = rows.flatMap(({ seat, squares }, index) =>
    (seat !== undefined && seat !== rows[index - 1]?.seat ? [nameAt(seat), squares] : [squares]));
  return [`Flipside · ${game}`, title, ...scores, "", ...squares, "", link].join("\n");
}
