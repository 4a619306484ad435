// @ts-check

/**
 * Has a line believe at once what the browser says of the network, and look whether it still holds when the page is
 * shown again; until what is returned is called.
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
 * Calls `act` each time the browser shows this page again as it was left, without loading it: it knows nothing of what
 * has happened since. Connections find out by `followNetwork`; what was fetched or read before is old.
 * @param {() => void} act
 */
export function followReturn(act) {
  // Nothing of the kind where there is no page, as in tests.
  globalThis.addEventListener?.("pageshow", ({ persisted }) => { if (persisted) act(); });
}

/**
 * A signal that ends a request after so many ms; none in browsers that do not know it.
 * @param {number} ms
 */
export const timeLimit = (ms) => /** @type {{timeout?: (ms: number) => AbortSignal}} */ (AbortSignal).timeout?.(ms);

/**
 * The address of a WebSocket of the hub that served the page.
 * @param {string} path
 */
export const socketURL = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;
