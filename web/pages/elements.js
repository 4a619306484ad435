// @ts-check

/**
 * Shows a message for a moment, with a button if there is an offer.
 * @typedef {(text: string, kind?: string, offer?: {label: string, take: () => void}) => void} Toast
 */

/**
 * What the browser's back button does before it leaves the page.
 * @typedef {Object} Back
 * @property {(sheet: Sheet) => void} sheet registers a part of the page that it closes, besides dialogs
 * @property {(question: () => (() => Promise<boolean>) | null) => void} ask sets the question that it asks first, if
 *   there is one at the time; it continues if that resolves to true
 * @property {() => void} look call this when either may have changed
 *
 * @typedef {{isOpen: () => boolean, close: () => void}} Sheet
 */

/**
 * What the shell does for a page; a page cannot import the shell.
 * @typedef {Object} Shell
 * @property {Toast} toast
 * @property {<Part>(load: (again: string) => Promise<() => Part>) => {readonly part: Part | null,
 *   use: (act: (part: Part) => void) => Promise<void>}} lazyPart see `shell/lazy-parts.js`
 * @property {<Part>(load: () => Promise<Part>) => Promise<Part | null>} bring see there too
 * @property {Back} back
 * @property {() => void} quietMoment says that nothing is in progress: the line is back, a game is over
 */

/**
 * The element of index.html with this `id`.
 * @param {string} id
 * @returns {any}
 */
export const element = (id) => document.getElementById(id);

/**
 * A form's input with this `name`.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const input = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * `act`, ignored while it still runs: a double press means one.
 * @param {() => Promise<unknown>} act
 */
export function oneAtATime(act) {
  let isUnderWay = false;
  return async () => {
    if (isUnderWay) return;
    isUnderWay = true;
    await act().finally(() => { isUnderWay = false; });
  };
}

export const gameTemplates = () => ({ fields: element("game-fields-template"), choice: element("choice-template") });
