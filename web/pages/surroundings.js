// @ts-check

/** What connections need of the browser. */
export const surroundings = {
  socket: (url, protocol) => new WebSocket(url, protocol),
  later: (act, ms) => setTimeout(act, ms), cancel: (timer) => clearTimeout(timer),
  now: () => Date.now(), random: () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32,
};

/** The address of a WebSocket of the hub that served the page. @param {string} path */
export const socketURL = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
