// @ts-check
import { recall, remember } from "./storage.js";

/**
 * Players that this browser has saved besides the one it is, with their tokens: the hub says that it does not know
 * them, they are of another hub, or another player has taken their place. They stay until someone presses "Forget":
 * what a hub or a proxy says may be wrong, and a deleted token never comes back.
 * @typedef {import("./identity.js").Player & {isSignedOut?: boolean, isGivenUp?: boolean}} SavedPlayer
 *   `isSignedOut`: the hub said so; `isGivenUp`: someone chose to be another player or none, so this one comes back
 *   only by choice
 */
/** As browsers have it already. */
const KEY = "flipside.kept-players";
/** Most of them; the one saved longest ago goes first. */
const LIMIT = 32;

/** @returns {SavedPlayer[]} the one saved last at the end */
export const savedPlayers = () => recall(KEY) ?? [];

/** @param {SavedPlayer} player */
export const savePlayer = (player) =>
  put([...savedPlayers().filter(({ token }) => token !== player.token), player].slice(-LIMIT));

/** Keeps every player saved for the hub with this log from coming back by itself: someone has chosen to be nobody. */
export const giveUpPlayers = (/** @type {string | undefined} */ hubLog) =>
  put(savedPlayers().map((player) => ((player.log ?? hubLog) === hubLog ? { ...player, isGivenUp: true } : player)));

/** A saved player without what is noted about saving it. */
export const asPlayer = (/** @type {SavedPlayer} */ { isSignedOut, isGivenUp, ...player }) => player;

/** Forgets a token, and the player with it. */
export const dropPlayer = (/** @type {string} */ token) => {
  const saved = savedPlayers(), left = saved.filter((player) => player.token !== token);
  if (left.length < saved.length) put(left);
};

/** @param {SavedPlayer[]} players */
const put = (players) => remember(KEY, players.length > 0 ? players : null);
