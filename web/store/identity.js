// @ts-check
import { followReturn } from "../net/network.js";
import { asPlayer, dropPlayer, giveUpPlayers, savePlayer, savedPlayers } from "./saved-players.js";
import { isShared, recall, remember } from "./storage.js";

/**
 * Who this browser is: a player's id and name, and the token that proves it, kept in the browser alone. `log`: the id
 * of the log of the hub that knows it; missing until that hub has said so.
 * @typedef {{id: string, name: string, token: string, log?: string}} Player
 */
const PLAYER = "flipside.player";

/**
 * How this browser became who it is: someone chose it, perhaps in another page; `signed-out`: the hub says that it does
 * not know the token; `elsewhere`: this is another hub; `back`: the hub that knows a saved token is here again.
 * @typedef {"chosen" | "signed-out" | "elsewhere" | "back"} How
 */

/**
 * Called when this browser is another player, or no one, or has another name; `before` is who it was.
 * @typedef {(player: Player | null, how: How, before: Player | null) => void} Follower
 */
const followers = /** @type {Set<Follower>} */ (new Set());

/** The log that the hub has, as it said last. */
let hubLog = /** @type {string | undefined} */ (undefined);

export const logOfHub = () => hubLog;

/** @returns {Player | null} */
export function identity() { return recall(PLAYER); }

// While a request is under way, another page of this browser may change who it is. So these functions take the token
// from before the request, and do nothing if the browser has another player since.

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

/** The hub says that it does not know `token`: this browser has no player, and saves that one. */
export function noteSignedOut(/** @type {string} */ token) {
  const player = identity();
  if (player?.token !== token) return;
  savePlayer({ ...player, isSignedOut: true });
  replaceIdentity(null, "signed-out", token);
}

/**
 * The hub has this log. Where that is another one than the player's, this is another hub: it has players of its own.
 * @param {string} log
 * @param {string | null} [taken] a token that it knows
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
 * Calls `act` from now on whenever it changes who this browser is, in another of its pages, too.
 * @param {Follower} act
 */
export function followIdentity(act) { followers.add(act); }

/**
 * @param {Player | null} player
 * @param {How} how
 * @param {string | null} token of who it was
 */
function replaceIdentity(player, how, token) {
  const before = identity();
  if ((before?.token ?? null) !== token) return;
  remember(PLAYER, player);
  if (player) dropPlayer(player.token);
  tell(how, before);
}

const written = () => JSON.stringify(identity());
/** Who this browser was when followers were told last. */
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

// Nothing of the kind where there is no page, as in tests. Without a key everything was cleared.
globalThis.addEventListener?.("storage", (/** @type {StorageEvent} */ { key }) => {
  if (key === PLAYER || key === null) tell("chosen", null);
});
// A page that was put away hears nothing of that.
followReturn(() => { if (written() !== told) tell("chosen", null); });

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
