// @ts-check
import { recall, remember } from "./storage.js";

/**
 * The user's settings, stored only in this browser.
 * @typedef {Object} Settings
 * @property {string} [language] one of `LANGUAGES`; else the browser's
 * @property {"light" | "dark"} [colours] else the system's
 * @property {boolean} [still] less motion, no matter what the system says
 * @property {boolean} [sound] on unless switched off
 * @property {boolean} [music] off unless switched on; silent without `sound`
 * @property {boolean} [keys] single-letter keys, such as `m`: on unless switched off
 */
const KEY = "flipside.settings";

/** @returns {Settings} */
export const settings = () => recall(KEY) ?? {};

/**
 * Changes some of them; undefined resets one.
 * @param {Settings} change
 */
export const choose = (change) => remember(KEY, { ...settings(), ...change });

export const wantsSound = () => settings().sound !== false;
export const wantsMusic = () => wantsSound() && settings().music === true;

/** Whether to avoid all unnecessary motion: as set here or for the whole device. */
export const isStill = () => settings().still === true || matchMedia("(prefers-reduced-motion: reduce)").matches;
