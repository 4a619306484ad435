// @ts-check

/**
 * Says something for a moment, with a button beside it where there is an offer.
 * @typedef {(text: string, kind?: string, offer?: {label: string, take: () => void}) => void} Toast
 */

/**
 * What the browser's way back meets before it leaves the page.
 * @typedef {Object} Back
 * @property {(sheet: Sheet) => void} sheet names a part of the page that is no dialog, for it to close
 * @property {(question: () => (() => Promise<boolean>) | null) => void} ask names what it asks, if there is anything to
 *   ask just now: it goes on where that resolves to true
 * @property {() => void} look tells that either may have changed
 *
 * @typedef {{isOpen: () => boolean, close: () => void}} Sheet
 */

/**
 * What the shell does for a page, which knows nothing of it.
 * @typedef {Object} Shell
 * @property {Toast} toast
 * @property {<Part>(load: (again: string) => Promise<() => Part>) => {readonly part: Part | null,
 *   use: (act: (part: Part) => void) => Promise<void>}} lazyPart as `shell/lazy-parts.js` says
 * @property {<Part>(load: () => Promise<Part>) => Promise<Part | null>} bring likewise
 * @property {Back} back
 * @property {() => void} quietMoment tells that nobody is in the middle of anything: the line is back, a game is over
 */

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
 */
export const input = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * `act`, but nothing while it is under way: who presses twice wants it once.
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
