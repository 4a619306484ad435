// @ts-check
import { recall, remember } from "./storage.js";

/**
 * Players that this browser has saved besides its own, with their tokens: the hub said that it does not know them, they
 * belong to another hub, or another player has replaced them. They stay until someone presses "Forget": a hub or a
 * proxy may be wrong, and a deleted token never comes back.
 * @typedef {import("./identity.js").Player & {isSignedOut?: boolean, isGivenUp?: boolean}} SavedPlayer
 *   `isSignedOut`: the hub said so; `isGivenUp`: someone chose to be another player or none, so this one returns only
 *   by choice
 */
/** Keeps its old name, which browsers already have. */
const KEY = "flipside.kept-players";
/** Most saved players; the oldest is dropped first. */
const LIMIT = 32;

/** @returns {SavedPlayer[]} the latest at the end */
export const savedPlayers = () => recall(KEY) ?? [];

/** @param {SavedPlayer} player */
export const savePlayer = (player) =>
  put([...savedPlayers().filter(({ token }) => token !== player.token), player].slice(-LIMIT));

/** Stops every player saved for the hub with this log from returning by itself: someone chose to have no player. */
export const giveUpPlayers = (/** @type {string | undefined} */ hubLog) =>
  put(savedPlayers().map((player) => ((player.log ?? hubLog) === hubLog ? { ...player, isGivenUp: true } : player)));

/** A saved player without the notes about saving it. */
export const asPlayer = (/** @type {SavedPlayer} */ { isSignedOut, isGivenUp, ...player }) => player;

/** Forgets a token, and the player with it. */
export const dropPlayer = (/** @type {string} */ token) => {
  const saved = savedPlayers(), left = saved.filter((player) => player.token !== token);
  if (left.length < saved.length) put(left);
};

/** @param {SavedPlayer[]} players */
const put = (players) => remember(KEY, players.length > 0 ? players : null);
