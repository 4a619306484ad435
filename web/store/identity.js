// @ts-check
import { isShared, recall, remember } from "./storage.js";

/**
 * Who this browser is: a player's id and name, and the token that proves it, kept in the browser alone.
 * @typedef {{id: string, name: string, token: string}} Player
 */
const PLAYER = "flipside.player";

/**
 * Called when this browser is somebody else, or nobody any more, or has another name. `how` is `signed-out`
 * where the hub knows its token no more: another device of the player did it, or the name was given up.
 * @typedef {(player: Player | null, how: "chosen" | "signed-out") => void} Follower
 */
const followers = /** @type {Set<Follower>} */ (new Set());

/** @returns {Player | null} */
export function identity() { return recall(PLAYER); }

// Another page of this browser may have changed who it is since something was asked for: what follows from the answer
// concerns only who it was then, and does nothing where it is somebody else by now.

/**
 * This browser, which was whoever has the token `before`, or nobody, is `player` from now on.
 * @param {Player} player
 * @param {string | null} before
 */
export function adopt(player, before) { keep(player, "chosen", before); }

/** This browser, which was whoever has `token`, is nobody from now on. */
export function forget(/** @type {string} */ token) { keep(null, "chosen", token); }

/** The hub does not know `token` any more. */
export function noteSignedOut(/** @type {string} */ token) { keep(null, "signed-out", token); }

/**
 * Calls `act` from now on whenever it changes who this browser is, in another of its pages, too.
 * @param {Follower} act
 */
export function followIdentity(act) { followers.add(act); }

/**
 * @param {Player | null} player
 * @param {"chosen" | "signed-out"} how
 * @param {string | null} before
 */
function keep(player, how, before) {
  if ((identity()?.token ?? null) !== before) return;
  remember(PLAYER, player);
  for (const act of followers) act(player, how);
}

// Nothing of the kind where there is no page, as in tests. Without a key everything was cleared.
globalThis.addEventListener?.("storage", (/** @type {StorageEvent} */ { key }) => {
  if (key === PLAYER || key === null) for (const act of followers) act(identity(), "chosen");
});

/**
 * What the hub says who bears which name: another device of the player may have changed it.
 * @param {Record<string, string | null>} names by id
 */
export function noteNames(names) {
  const player = identity(), name = player && names[player.id];
  if (name && name !== player.name) adopt({ ...player, name }, player.token);
}

/** Whether other pages of this browser know the player, too: not where it keeps nothing. */
export const isKnownElsewhere = () => isShared(PLAYER);

/** What an address bears where the browser keeps nothing: behind `#`, so that it never leaves the browser. */
const HANDED_ON = "#player=";

/**
 * Where to go for room `code`, as the player of this page.
 * @param {string} code
 * @param {string} [search] what the room's page is told beside
 */
export function roomAddress(code, search = "") {
  const player = identity(), path = `/room/${encodeURIComponent(code)}${search}`;
  return player && !isKnownElsewhere() ? path + HANDED_ON + encodeURIComponent(JSON.stringify(player)) : path;
}

/** Takes the player over that `roomAddress` has put into this page's address, and out of it: no history keeps it. */
export function adoptFromAddress() {
  if (!location.hash.startsWith(HANDED_ON)) return;
  const written = location.hash.slice(HANDED_ON.length);
  history.replaceState(history.state, "", location.pathname + location.search);
  if (identity()) return;
  try { remember(PLAYER, JSON.parse(decodeURIComponent(written))); } catch { return; }
  // A browser that keeps its player makes no such address: this one is somebody else's, who would like to be believed.
  if (isKnownElsewhere()) remember(PLAYER, null);
}
