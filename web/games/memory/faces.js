// @ts-check
import { text } from "../../texts/texts.js";
import { BOARDS, COLUMNS, ROWS } from "./options.js";

/** @typedef {import("../../net/messages.js").MemoryOptions} RoomOptions */

/**
 * How many faces each of the hub's themes has: a board has no more pairs than its theme has faces.
 * @type {Record<string, number>}
 */
export const FACES = {
  animals: 16, safari: 16, birds: 12, ocean: 14, garden: 12, fruit: 14, vegetables: 14, food: 16, vehicles: 14,
  places: 14, sky: 14, sports: 14, toys: 14, music: 13, party: 13, clothes: 16, workshop: 15, moods: 16, pictures: 21,
  numbers: 48, characters: 48,
};
/** Those that `random` never picks. */
const NEVER_DRAWN = ["numbers", "characters"];

/**
 * The smaller board for a choice with more pairs than its theme has faces: the board that is dealt, or the smallest
 * possible one if the theme is still to be drawn. Null if the whole board is dealt in any case.
 * @param {RoomOptions} options a room's, as requested
 */
export function cutBoard({ preset, columns, rows, pairs, theme }) {
  const isShaped = columns || rows;
  /** @type {{columns?: number, rows?: number}} */
  const sides = BOARDS.find(({ name }) => name === preset)?.options ?? {};
  // As in the hub: half a shape, or none, means 4 × 4.
  const asked = pairs ?? (isShaped || sides.columns
    ? Math.floor((columns ?? sides.columns ?? 4) * (rows ?? sides.rows ?? 4) / 2) : 0);
  const name = theme ?? (preset === "memorize" ? "random" : "animals"), isDrawn = name === "random";
  const drawn = Object.keys(FACES).filter((one) => !NEVER_DRAWN.includes(one));
  const faces = Math.min(...(isDrawn ? drawn : [name]).map((one) => FACES[one] ?? Infinity));
  return asked > faces ? { ...boardOf(faces), theme: name, faces, isDrawn } : null;
}

/**
 * The board for so many pairs, like the hub's `Board(pairs:)`.
 * @param {number} pairs
 */
export function boardOf(pairs) {
  for (let count = pairs; count > 3; count--) {
    for (const cells of [2 * count, 2 * count + 1]) {
      const fitting = COLUMNS.filter((columns) => ROWS.includes(cells / columns))
        .sort((a, b) => Math.abs(a - cells / a) - Math.abs(b - cells / b) || a - b);
      if (fitting.length > 0) return { columns: fitting[0], rows: cells / fitting[0] };
    }
  }
  return { columns: COLUMNS[0], rows: ROWS[0] };
}

/**
 * A theme's name in words.
 * @param {string} name
 */
export const nameOfTheme = (name) => (name in FACES ? text(`theme.${name}`) : name);

/**
 * How a race is played, and that a board will be smaller than requested; empty if neither.
 * @param {RoomOptions} options
 */
export const remark = (options) =>
  [options.order === "free" ? text("memory.race.remark") : "", cutRemark(options)].filter(Boolean).join(" ");

/** @param {RoomOptions} options */
function cutRemark(options) {
  const cut = cutBoard(options);
  if (!cut) return "";
  const { columns, rows, faces } = cut;
  if (cut.isDrawn) return text("memory.cut.random", { columns, rows });
  return text("memory.cut", { theme: nameOfTheme(cut.theme), faces, columns, rows });
}
