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

/**
 * Puts words into an element that may hold them already: said again they would be laid out again.
 * @param {Element} element
 * @param {string} words
 */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/**
 * Brings in a style sheet that the first view does without; settles once it holds, or cannot be had.
 * @param {string} path
 */
export function styled(path) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: path });
  const settled = new Promise((settle) => { link.onload = link.onerror = settle; });
  document.head.append(link);
  return settled;
}

/**
 * A signal that ends a request after so many ms; none in browsers that do not know it.
 * @param {number} ms
 */
export const timeLimit = (ms) => /** @type {any} */ (AbortSignal).timeout?.(ms);

/** The address of a WebSocket of the hub that served the page. @param {string} path */
export const socketURL = (path) => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`;

export const gameTemplates = () => ({ fields: element("game-fields-template"), choice: element("choice-template") });
