// @ts-check

/**
 * Writes to the page that cost nothing if nothing changes. Everything is drawn with each event, and writing an
 * unchanged value would make the browser compute style and layout again.
 */

/**
 * Puts words into an element.
 * @param {Element | null} element
 * @param {string} words
 */
export function write(element, words) {
  if (element && element.textContent !== words) element.textContent = words;
}

/**
 * Shows an element, or hides it.
 * @param {HTMLElement} element
 * @param {boolean} isShown
 */
export function show(element, isShown) {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/**
 * Gives an element a variable of the style sheets.
 * @param {HTMLElement} element
 */
export function vary(element, /** @type {string} */ name, /** @type {string} */ value) {
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}
