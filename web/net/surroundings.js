// @ts-check

/**
 * What the connection needs from the browser; tests pass in their own.
 * @typedef {Object} Surroundings
 * @property {(url: string, protocol: string) => WebSocket} socket
 * @property {(act: () => void, ms: number) => Timer} later
 * @property {(timer: Timer) => void} cancel
 * @property {() => number} now ms since 1970 by this device's clock at first, then counted steadily: people set clocks
 * @property {() => number} random from 0 up to 1
 * @property {(url: string, found: () => void) => () => void} reach asks by HTTP whether a hub answers, and calls
 *   `found` if it does; the returned function cancels the question
 * @property {(url: string, told: (problem: Problem | null) => void) => () => void} problem asks by HTTP why the hub
 *   refuses a request, and calls `told` with its problem, or with null if it has none or the answer cannot be read; the
 *   returned function cancels the question
 *
 * @typedef {{code: string, detail: string}} Problem the hub's answer (`http.problem`)
 * @typedef {ReturnType<typeof setTimeout> | undefined} Timer
 */

/**
 * The real surroundings. Pass a `WebSocket` if there is none, as in Node before version 22; the one from the package
 * `ws` will do.
 * @param {{WebSocket?: new (url: string, protocol: string) => any}} given
 * @returns {Surroundings}
 */
export const surroundings = ({ WebSocket: Given } = {}) => ({
  socket: (url, protocol) => new (Given ?? WebSocket)(url, protocol),
  later: (act, ms) => setTimeout(act, ms),
  cancel: (timer) => clearTimeout(timer),
  now: () => performance.timeOrigin + performance.now(),
  random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
  reach(url, found) {
    const question = new AbortController(), { signal } = question;
    // 500 and above comes from a proxy. A hub of another origin hides its answer: that it answered is enough.
    fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store", signal })
      .then(({ status }) => { if (status < 500) found(); }, () => {});
    return () => question.abort();
  },
  problem(url, told) {
    const question = new AbortController(), { signal } = question;
    fetch(url, { cache: "no-store", signal }).then((answer) => (answer.ok ? null : answer.json())).then(
      (problem) => told(typeof problem?.code === "string" ? problem : null),
      () => { if (!signal.aborted) told(null); });
    return () => question.abort();
  },
});

/** For browsers and newer versions of Node. */
export const browser = surroundings();
