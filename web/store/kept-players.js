// @ts-check
import { recall, remember } from "./storage.js";

/**
 * Players whom this browser is not just now, with their tokens: those that the hub says it does not know, of another
 * hub, or given up for another player. They stay until somebody presses "Forget": what a hub or a proxy says may be
 * wrong, and a token that is gone never comes back.
 * @typedef {import("./identity.js").Player & {isSignedOut?: boolean}} KeptPlayer `isSignedOut`: the hub said so
 */
const KEY = "flipside.kept-players";
/** Most of them; the one kept longest goes first. */
const LIMIT = 32;

/** @returns {KeptPlayer[]} the one kept last at the end */
export const keptPlayers = () => recall(KEY) ?? [];

/** @param {KeptPlayer} player */
export const keepPlayer = (player) =>
  put([...keptPlayers().filter(({ token }) => token !== player.token), player].slice(-LIMIT));

/** Forgets a token, and the player with it. */
export const dropPlayer = (/** @type {string} */ token) => {
  const kept = keptPlayers(), left = kept.filter((player) => player.token !== token);
  if (left.length < kept.length) put(left);
};

/** @param {KeptPlayer[]} players */
const put = (players) => remember(KEY, players.length > 0 ? players : null);
