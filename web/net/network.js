// @ts-check

/**
 * Makes a line react at once to what the browser says about the network, and check itself when the page is shown again.
 * Call the returned function to stop.
 * @param {{check: () => void, online: () => void, offline: () => void}} line
 */
export function followNetwork(line) {
  const check = () => { if (!document.hidden) line.check(); };
  const moments = /** @type {[EventTarget, string, () => void][]} */ ([
    [window, "pageshow", check], [window, "focus", check], [document, "visibilitychange", check],
    [window, "online", () => line.online()], [window, "offline", () => line.offline()],
  ]);
  for (const [target, name, act] of moments) target.addEventListener(name, act);
  return () => { for (const [target, name, act] of moments) target.removeEventListener(name, act); };
}

/**
 * Calls `act` whenever the browser shows this page again as it was left, without reloading it: the page has missed all
 * that happened since. Connections notice by `followNetwork`; data fetched or read earlier is stale.
 * @param {() => void} act
 */
export function followReturn(act) {
  // Tests have no page, and so no such event.
  globalThis.addEventListener?.("pageshow", ({ persisted }) => { if (persisted) act(); });
}

/**
 * A signal that aborts a request after so many ms; undefined in browsers that lack it.
 * @param {number} ms
 */
export const timeLimit = (ms) => /** @type {{timeout?: (ms: number) => AbortSignal}} */ (AbortSignal).timeout?.(ms);

/**
 * The address of a WebSocket on the hub that served the page.
 * @param {string} path
 */
export const socketURL = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
