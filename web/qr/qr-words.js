// @ts-check

/** The words of a QR code, level M: its padded bytes, in blocks with check words (ISO/IEC 18004, 7.4 to 7.6). */

/** Level M by version, from 1: check words a block, blocks, and all words of a code (tables 7 and 9). */
const CHECK_WORDS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const WORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
/** Most bytes of a text: what version 10 holds after its mode and its count of 16 bits. */
const TEXT_LIMIT = 213;

/**
 * The version that `bytes` need, and its words in drawing order.
 * @param {Uint8Array} bytes
 */
export function wordsOf(bytes) {
  const version = versionFor(bytes.length);
  return { version, words: interleaved(dataWords(bytes, version), version) };
}

/**
 * @param {number} version
 */
const dataCount = (version) => WORDS[version - 1] - CHECK_WORDS[version - 1] * BLOCKS[version - 1];
const countBits = (/** @type {number} */ version) => (version < 10 ? 8 : 16);

function versionFor(/** @type {number} */ length) {
  for (let version = 1; version <= WORDS.length; version++) {
    if (4 + countBits(version) + 8 * length <= 8 * dataCount(version)) return version;
  }
  throw new RangeError(`A QR code of version 10 holds ${TEXT_LIMIT} bytes, not ${length}.`);
}

/** Mode, count and text, padded to the version's words (section 7.4). */
function dataWords(/** @type {Uint8Array} */ bytes, /** @type {number} */ version) {
  /** @type {number[]} */
  const bits = [];
  /**
   * @param {number} value
   * @param {number} width
   */
  const put = (value, width) => { for (let bit = width - 1; bit >= 0; bit--) bits.push((value >> bit) & 1); };
  put(0b0100, 4);
  put(bytes.length, countBits(version));
  for (const byte of bytes) put(byte, 8);
  const room = 8 * dataCount(version);
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xEC; bits.length < room; filler ^= 0xEC ^ 0x11) put(filler, 8);
  return Array.from({ length: room / 8 }, (_, word) =>
    bits.slice(8 * word, 8 * word + 8).reduce((value, bit) => 2 * value + bit, 0));
}

/** Blocks with their check words, one word of each in turn (section 7.6). */
function interleaved(/** @type {number[]} */ words, /** @type {number} */ version) {
  const count = BLOCKS[version - 1];
  // Words left over by the division make the last blocks one longer.
  const short = Math.floor(words.length / count), longer = words.length % count;
  const divisor = generator(CHECK_WORDS[version - 1]);
  let next = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const length = short + (block >= count - longer ? 1 : 0);
    const part = words.slice(next, next + length);
    next += length;
    return { part, check: remainder(part, divisor) };
  });
  const mixed = [];
  for (let word = 0; word <= short; word++) {
    for (const { part } of blocks) if (word < part.length) mixed.push(part[word]);
  }
  for (let word = 0; word < divisor.length; word++) for (const { check } of blocks) mixed.push(check[word]);
  return mixed;
}

/** The product of two elements of the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(/** @type {number} */ a, /** @type {number} */ b) {
  let sum = 0;
  for (let bit = 7; bit >= 0; bit--) {
    sum = (sum << 1) ^ ((sum >> 7) * 0x11D);
    sum ^= ((b >> bit) & 1) * a;
  }
  return sum;
}

/** The polynomial that check words are the remainder of, without its leading 1 (annex A). */
function generator(/** @type {number} */ degree) {
  const result = new Array(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let factor = 0; factor < degree; factor++) {
    for (let power = 0; power < degree; power++) {
      result[power] = product(result[power], root) ^ (result[power + 1] ?? 0);
    }
    root = product(root, 2);
  }
  return result;
}

function remainder(/** @type {number[]} */ words, /** @type {number[]} */ divisor) {
  const result = new Array(divisor.length).fill(0);
  for (const word of words) {
    const factor = word ^ result[0];
    result.shift();
    result.push(0);
    divisor.forEach((coefficient, power) => { result[power] ^= product(coefficient, factor); });
  }
  return result;
}
