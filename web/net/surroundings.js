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
 * @property {(url: string, told: (problem: Problem | null) => void) => () => void} problem asks by HTTP what the hub
 *   has against a request, and calls `told` with that, or with null where it has nothing, or cannot be understood; what
 *   it returns gives the question up
 *
 * @typedef {{code: string, detail: string}} Problem as the hub says it (`http.problem`)
 * @typedef {ReturnType<typeof setTimeout> | undefined} Timer
 */

/**
 * What there is, with another `WebSocket` where one is given: Node has none of its own before version 22, and that of
 * the package `ws` will do.
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
    // 500 and above is a proxy's word. A hub of another origin lets nobody read its answer: that it came is enough.
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

/** As browsers and newer Nodes have it. */
export const browser = surroundings();
