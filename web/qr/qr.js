// @ts-check
import { wordsOf } from "./qr-words.js";

/**
 * QR codes of short texts, by ISO/IEC 18004: byte mode, level M (15 % of a code may be lost), versions 1 to 10.
 * This module draws nothing: its result is which modules are dark.
 */

/** The centres of alignment patterns, in rows and columns (annex E). */
const ALIGNMENT = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];
/**
 * The modules that each mask inverts (table 10).
 * @type {((row: number, column: number) => boolean)[]}
 */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * The code of `text`: rows of modules, true where dark, without the light margin of four modules that it needs. Throws
 * a `RangeError` past 213 bytes of UTF-8.
 * @param {string} text
 * @param {number} [mask] 0 to 7; by default the one with the least penalty, as the standard wants
 * @returns {boolean[][]}
 */
export function qr(text, mask) {
  const { version, words } = wordsOf(new TextEncoder().encode(text));
  const drawn = (/** @type {number} */ number) => {
    const code = new Code(version);
    code.place(words);
    code.finish(number);
    return code.dark;
  };
  if (mask !== undefined) return drawn(mask);
  const all = MASKS.map((_, number) => drawn(number));
  const penalties = all.map(penalty);
  return all[penalties.indexOf(Math.min(...penalties))];
}

/** `value` followed by `bits` check bits from its generator (annexes C and D). */
function checked(/** @type {number} */ value, /** @type {number} */ bits, /** @type {number} */ divisor) {
  let rest = value;
  for (let step = 0; step < bits; step++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
  return (value << bits) | rest;
}

/** The modules of one code while it is drawn. */
class Code {
  constructor(/** @type {number} */ version) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    /** Modules that hold no words. */
    this.isFixed = this.dark.map((row) => row.slice());
    this.#patterns();
  }

  set(/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ isDark) {
    this.dark[row][column] = isDark;
    this.isFixed[row][column] = true;
  }

  #patterns() {
    const last = this.size - 1;
    for (let place = 0; place < this.size; place++) {
      this.set(6, place, place % 2 === 0);
      this.set(place, 6, place % 2 === 0);
    }
    for (const [row, column] of [[3, 3], [3, last - 3], [last - 3, 3]]) this.#square(row, column, 4, [2, 4]);
    const middles = ALIGNMENT[this.version - 1], end = middles.at(-1);
    for (const row of middles) {
      for (const column of middles) {
        // Three corners have finder patterns instead.
        const isCorner = (row === 6 && (column === 6 || column === end)) || (row === end && column === 6);
        if (!isCorner) this.#square(row, column, 2, [1]);
      }
    }
    this.#format(0);
    this.#versionInformation();
  }

  /**
   * A dark square around a centre, with light rings at the given radii.
   * @param {number} row
   * @param {number} column
   * @param {number} radius
   * @param {number[]} light
   */
  #square(row, column, radius, light) {
    for (let down = -radius; down <= radius; down++) {
      for (let right = -radius; right <= radius; right++) {
        const [y, x] = [row + down, column + right];
        if (y < 0 || x < 0 || y >= this.size || x >= this.size) continue;
        this.set(y, x, !light.includes(Math.max(Math.abs(down), Math.abs(right))));
      }
    }
  }

  /** Level and mask, twice (section 7.9). */
  #format(/** @type {number} */ mask) {
    const LEVEL_M = 0b00;
    const bits = checked((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412;
    const bit = (/** @type {number} */ number) => ((bits >> number) & 1) === 1;
    for (let number = 0; number < 15; number++) {
      const ahead = number < 6 ? number : number < 8 ? number + 1 : this.size - 15 + number;
      this.set(ahead, 8, bit(number));
      const back = number < 8 ? this.size - 1 - number : number === 8 ? 7 : 14 - number;
      this.set(8, back, bit(number));
    }
    this.set(this.size - 8, 8, true);
  }

  /** From version 7 on, twice (section 7.10). */
  #versionInformation() {
    if (this.version < 7) return;
    const bits = checked(this.version, 12, 0x1F25);
    for (let number = 0; number < 18; number++) {
      const far = this.size - 11 + (number % 3), near = Math.floor(number / 3);
      const isDark = ((bits >> number) & 1) === 1;
      this.set(near, far, isDark);
      this.set(far, near, isDark);
    }
  }

  /** Words into the free modules, two columns at a time, up and down in turn, from the right (section 7.7.3). */
  place(/** @type {number[]} */ words) {
    let next = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const isUp = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.size; step++) {
        for (const column of [right, right - 1]) {
          const row = isUp ? this.size - 1 - step : step;
          if (this.isFixed[row][column] || next >= 8 * words.length) continue;
          this.dark[row][column] = ((words[next >> 3] >> (7 - (next & 7))) & 1) === 1;
          next++;
        }
      }
    }
  }

  finish(/** @type {number} */ mask) {
    for (let row = 0; row < this.size; row++) {
      for (let column = 0; column < this.size; column++) {
        if (!this.isFixed[row][column] && MASKS[mask](row, column)) this.dark[row][column] = !this.dark[row][column];
      }
    }
    this.#format(mask);
  }
}

/**
 * How hard a code is to read (section 7.8.3).
 * @param {boolean[][]} dark
 */
export function penalty(dark) {
  const size = dark.length;
  const columns = dark.map((_, column) => dark.map((row) => row[column]));
  let points = 0;
  for (const line of [...dark, ...columns]) points += runs(line) + finders(line);
  for (let row = 1; row < size; row++) {
    for (let column = 1; column < size; column++) {
      const one = dark[row][column];
      if (one === dark[row - 1][column] && one === dark[row][column - 1] && one === dark[row - 1][column - 1]) {
        points += 3;
      }
    }
  }
  const share = dark.flat().filter(Boolean).length / size ** 2;
  return points + 10 * Math.floor(Math.abs(share * 100 - 50) / 5);
}

/** Five or more of a colour in a row. */
function runs(/** @type {boolean[]} */ line) {
  let points = 0, length = 0;
  line.forEach((isDark, place) => {
    length = isDark === line[place - 1] ? length + 1 : 1;
    if (length === 5) points += 3;
    if (length > 5) points += 1;
  });
  return points;
}

const FINDER = [true, false, true, true, true, false, true];

/** What looks like a finder pattern, with four light modules before or after it; the margin is light. */
function finders(/** @type {boolean[]} */ line) {
  let points = 0;
  for (let start = 0; start + FINDER.length <= line.length; start++) {
    if (!FINDER.every((isDark, place) => line[start + place] === isDark)) continue;
    const isLight = (/** @type {number} */ from) => [0, 1, 2, 3].every((place) => !line[from + place]);
    if (isLight(start - 4) || isLight(start + FINDER.length)) points += 40;
  }
  return points;
}
