// @ts-check

/** SHA-256 (FIPS 180-4): browsers offer no `crypto.subtle` on plain http in a local network. */

const primes = (() => {
  /** @type {number[]} */
  const found = [];
  for (let number = 2; found.length < 64; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
})();
/** The first 32 bits after the binary point. */
const fraction = (/** @type {number} */ number) => Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (/** @type {number} */ word, /** @type {number} */ bits) => (word >>> bits) | (word << (32 - bits));

/**
 * The digest of `bytes`, in lower-case hexadecimal.
 * @param {Uint8Array} bytes
 */
export function sha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array((length + 9 + 63) & ~63);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, length << 3);
  const state = [...START];
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(block + 4 * index);
    compress(state, words);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function compress(/** @type {number[]} */ state, /** @type {Int32Array} */ words) {
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15], late = words[index - 2];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] + first + words[index - 7] + second) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROUND[index] + words[index]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] = (state[index] + word) | 0; });
}

/**
 * The bytes that hexadecimal digits stand for.
 * @param {string} hex
 */
export const bytesOf = (hex) => Uint8Array.from([...(hex.match(/../g) ?? [])].map((pair) => parseInt(pair, 16)));

/**
 * All `parts`, one after the other.
 * @param {...Uint8Array} parts
 */
export function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
