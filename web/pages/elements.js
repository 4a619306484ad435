// @ts-check

/**
 * The element of index.html that bears `id`.
 * @param {string} id
 * @returns {any}
 */
export const element = (id) => document.getElementById(id);

/**
 * A form's input that bears `name`.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {any}
 */
export const input = (form, name) => form.elements.namedItem(name);

/** Style sheets that this page has brought in, by path. @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Brings in a style sheet that the first view does without; settles once it holds, or cannot be had.
 * @param {string} path
 */
export function styled(path) {
  const known = sheets.get(path);
  if (known) return known;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: path });
  const settled = new Promise((settle) => {
    link.onload = settle;
    link.onerror = () => {
      // Tried anew the next time.
      sheets.delete(path);
      link.remove();
      settle(undefined);
    };
  });
  sheets.set(path, settled);
  document.head.append(link);
  return settled;
}

/** Settles once each style sheet that `early.js` has named holds, or cannot be had. */
export const styledAsNamed = () =>
  Promise.all([...document.querySelectorAll('link[data-settled="false"]')].map((link) => new Promise((settle) => {
    for (const name of ["load", "error"]) link.addEventListener(name, settle);
  })));

/**
 * A signal that ends a request after so many ms; none in browsers that do not know it.
 * @param {number} ms
 */
export const timeLimit = (ms) => /** @type {any} */ (AbortSignal).timeout?.(ms);

/** The address of a WebSocket of the hub that served the page. @param {string} path */
export const socketURL = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;

export const gameTemplates = () => ({ fields: element("game-fields-template"), choice: element("choice-template") });
