// @ts-check

/**
 * What the connection needs of the browser; tests give others.
 * @typedef {Object} Surroundings
 * @property {(url: string, protocol: string) => WebSocket} socket
 * @property {(act: () => void, ms: number) => Timer} later
 * @property {(timer: Timer) => void} cancel
 * @property {() => number} now ms since 1970, as this device had it at first, counted on evenly: people set its clock
 * @property {() => number} random from 0 up to 1
 * @property {(url: string, found: () => void) => () => void} reach asks by HTTP whether a hub is there, and calls
 *   `found` if it is; what it returns gives the question up
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
  now: () => performance.timeOrigin + performance.now(),
  random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
  reach(url, found) {
    const question = new AbortController(), { signal } = question;
    // 500 and above is a proxy's word. A hub of another origin lets nobody read its answer: that it came is enough.
    fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store", signal })
      .then(({ status }) => { if (status < 500) found(); }, () => {});
    return () => question.abort();
  },
};
