// @ts-check
const FIRST = 300, LONGEST = 8_000;

/**
 * The pause before another attempt to connect, in ms: doubled each time, with jitter so that not all clients return at
 * once.
 * @param {number} attempt how many have failed since the last greeting
 * @param {number} spread over how many ms the hub wants its clients to return; 0: it has few
 * @param {() => number} random from 0 to 1
 */
export function reconnectPause(attempt, spread, random) {
  return Math.max(Math.min(LONGEST, FIRST * 2 ** attempt) * (0.5 + random() / 2), spread * random());
}
