// @ts-check
import { followReturn } from "../net/network.js";
import { asPlayer, dropPlayer, giveUpPlayers, savePlayer, savedPlayers } from "./saved-players.js";
import { isShared, recall, remember } from "./storage.js";

/**
 * This browser's player: an id, a name, and the token that proves it, stored only in the browser. `log`: the id of the
 * log of the hub that knows it; missing until that hub has said so.
 * @typedef {{id: string, name: string, token: string, log?: string}} Player
 */
const PLAYER = "flipside.player";

/**
 * How this browser got its player: someone chose it, perhaps in another page; `signed-out`: the hub says that it does
 * not know the token; `elsewhere`: this is another hub; `back`: the hub that knows a saved token is back.
 * @typedef {"chosen" | "signed-out" | "elsewhere" | "back"} How
 */

/**
 * Called when this browser has another player, no player, or another name; `before` is the earlier player.
 * @typedef {(player: Player | null, how: How, before: Player | null) => void} Follower
 */
const followers = /** @type {Set<Follower>} */ (new Set());

/** The hub's log, as last reported. */
let hubLog = /** @type {string | undefined} */ (undefined);

export const logOfHub = () => hubLog;

/** @returns {Player | null} */
export function identity() { return recall(PLAYER); }

// While a request runs, another page of this browser may change the player. So these functions take the token from
// before the request, and do nothing if the browser has another player since.

/**
 * Makes this browser `player`. `before` is the token that it had until now; null if it had no player.
 * @param {Player} player
 * @param {string | null} before
 */
export function adopt(player, before) { replaceIdentity({ ...player, log: player.log ?? hubLog }, "chosen", before); }

/** Makes this browser, which had no player, `player` again. */
export function takeBack(/** @type {Player} */ player) { replaceIdentity(player, "back", null); }

/** Leaves this browser, whose player had `token`, without a player, and forgets that token. */
export function forget(/** @type {string} */ token) {
  dropPlayer(token);
  if (identity()?.token === token) giveUpPlayers(hubLog);
  replaceIdentity(null, "chosen", token);
}

/** The hub does not know `token`: saves that player and leaves this browser without one. */
export function noteSignedOut(/** @type {string} */ token) {
  const player = identity();
  if (player?.token !== token) return;
  savePlayer({ ...player, isSignedOut: true });
  replaceIdentity(null, "signed-out", token);
}

/**
 * Records the hub's log. If it is not the player's, this is another hub, with other players.
 * @param {string} log
 * @param {string | null} [taken] a token that it accepts
 */
export function recordHubLog(log, taken) {
  hubLog = log;
  const player = identity();
  if (player?.log === log) return;
  if (player && !player.log) {
    if (player.token === taken) remember(PLAYER, { ...player, log });
    return;
  }
  const known = savedPlayers().filter((saved) => saved.log === log && !saved.isSignedOut && !saved.isGivenUp).at(-1);
  if (player) savePlayer(player);
  const token = player?.token ?? null;
  if (known) replaceIdentity(asPlayer(known), "back", token);
  else if (player) replaceIdentity(null, "elsewhere", token);
}

/**
 * Calls `act` from now on whenever this browser's player changes, even in another of its pages.
 * @param {Follower} act
 */
export function followIdentity(act) { followers.add(act); }

/**
 * @param {Player | null} player
 * @param {How} how
 * @param {string | null} token of the earlier player
 */
function replaceIdentity(player, how, token) {
  const before = identity();
  if ((before?.token ?? null) !== token) return;
  remember(PLAYER, player);
  if (player) dropPlayer(player.token);
  tell(how, before);
}

const written = () => JSON.stringify(identity());
/** The player when followers were last called. */
let told = written();

/**
 * @param {How} how
 * @param {Player | null} before
 */
function tell(how, before) {
  const player = identity();
  told = written();
  for (const act of followers) act(player, how, before);
}

// Tests have no page, and so no such event. Without a key everything was cleared.
globalThis.addEventListener?.("storage", (/** @type {StorageEvent} */ { key }) => {
  if (key === PLAYER || key === null) tell("chosen", null);
});
// A page in the back-forward cache misses those events.
followReturn(() => { if (written() !== told) tell("chosen", null); });

/**
 * Takes over the player's name if another device has changed it.
 * @param {Record<string, string | null>} names by id
 */
export function noteNames(names) {
  const player = identity(), name = player && names[player.id];
  if (name && name !== player.name) adopt({ ...player, name }, player.token);
}

/** Whether other pages of this browser know the player too; not if the browser stores nothing. */
export const isKnownElsewhere = () => isShared(PLAYER);

/** In an address, the player follows this if the browser stores nothing: after `#`, so that it never leaves it. */
const HANDED_ON = "#player=";

/**
 * The address of room `code`, for the player of this page.
 * @param {string} code
 * @param {string} [search] a query for the room's page
 */
export function roomAddress(code, search = "") {
  const player = identity(), path = `/room/${encodeURIComponent(code)}${search}`;
  return player && !isKnownElsewhere() ? path + HANDED_ON + encodeURIComponent(JSON.stringify(player)) : path;
}

/**
 * Takes over the player that `roomAddress` has put into this page's address, and removes it, so no history keeps it.
 */
export function adoptFromAddress() {
  if (!location.hash.startsWith(HANDED_ON)) return;
  const written = location.hash.slice(HANDED_ON.length);
  history.replaceState(history.state, "", location.pathname + location.search);
  if (identity()) return;
  try { remember(PLAYER, JSON.parse(decodeURIComponent(written))); } catch { return; }
  // A browser that stores its player makes no such address, so this one was forged.
  if (isKnownElsewhere()) remember(PLAYER, null);
}
