// @ts-check
import { recall, remember } from "./storage.js";

/**
 * The choices on the home page for each game, by the names of its fields; stored only in this browser.
 * @typedef {Record<string, string>} Choice
 */
const KEY = "flipside.choices";

/**
 * @param {string} game
 * @returns {Choice | null} null: none
 */
export const keptChoice = (game) => all()[game] ?? null;

/**
 * @param {string} game
 * @param {Choice | null} choice null: as if nothing had been chosen
 */
export function keepChoice(game, choice) {
  const { [game]: _, ...others } = all();
  remember(KEY, choice ? { ...others, [game]: choice } : others);
}

/** @returns {Record<string, Choice>} */
const all = () => recall(KEY) ?? {};
