// @ts-check

/**
 * What the connection needs of the browser; tests give others.
 * @typedef {Object} Surroundings
 * @property {(url: string, protocol: string) => WebSocket} socket
 * @property {(act: () => void, ms: number) => Timer} later
 * @property {(timer: Timer) => void} cancel
 * @property {() => number} now ms since 1970, by this device
 * @property {() => number} random from 0 up to 1
 *
 * @typedef {ReturnType<typeof setTimeout> | undefined} Timer
 */

/**
 * As browsers and newer Nodes have them.
 * @type {Surroundings}
 */
export const browser = {
  socket: (url, protocol) => new WebSocket(url, protocol),
  later: (act, ms) => setTimeout(act, ms),
  cancel: (timer) => clearTimeout(timer),
  now: () => Date.now(),
  random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
};
