// @ts-check

/**
 * How a deck follows from the words of a game (ProtocolFairness.md, "The deck").
 * @typedef {import("../../cryptography/random-words.js").Words} Words
 */

/**
 * The face on each cell, null for the gap, and how many pairs were drawn if the theme leaves that to chance.
 * @param {{theme: {faces: string[]}, board: {pairs: number, gap?: number, drawn?: number[]}}} start
 * @param {Words} words
 */
export function deal({ theme, board }, words) {
  const [least, most] = board.drawn ?? [0, 0];
  const drawn = board.drawn ? least + words.below(most - least + 1) : undefined;
  const faces = words.shuffled([...new Set(theme.faces)]).slice(0, board.pairs);
  /** @type {(string | null)[]} */
  const deck = words.shuffled(faces.flatMap((face) => [face, face]));
  if (board.gap !== undefined) deck.splice(board.gap, 0, null);
  return { deck, drawn };
}

/**
 * Where the face-down cards on `cells`, in ascending order, move; cards that stay are left out.
 * @param {number[]} cells
 * @param {Words} words
 */
export function reshuffled(cells, words) {
  const moves = words.shuffled(cells).map((from, index) => [from, cells[index]]);
  return moves.filter(([from, to]) => from !== to).sort((a, b) => a[0] - b[0]);
}

/**
 * Whether a board can have this many pairs: an odd number of cells leaves its middle empty.
 * @param {number} pairs
 */
const fits = (pairs) => [2, 3, 4, 5, 6, 7, 8].some((columns) =>
  [...Array(10).keys()].some((row) => Math.floor((columns * (row + 3)) / 2) === pairs));

/**
 * How many pairs a board gets for `drawn` drawn pairs of so many faces.
 * @param {number} drawn
 * @param {number} faces
 */
export function pairsFor(drawn, faces) {
  let pairs = Math.min(drawn, faces);
  while (pairs > 3 && !fits(pairs)) pairs -= 1;
  return pairs;
}
