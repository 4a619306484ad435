// @ts-check

/** The code for a key that an input method takes; Safari ends a composition before its last key. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method that composes characters, as for Chinese: it is not meant for the page.
 * @param {KeyboardEvent} event
 */
export const isComposing = ({ isComposing, keyCode }) => isComposing || keyCode === TAKEN;
