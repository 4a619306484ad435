// @ts-check
import { text } from "../texts/texts.js";
import { deviceLabel } from "./device-label.js";
import { adopt, forget, identity, logOfHub, takeBack } from "./identity.js";
import { asPlayer, dropPlayer, savePlayer, savedPlayers } from "./saved-players.js";
import { awaitAnswer, pendingToken, settle } from "./pending-token.js";
import { hubTime, isRefused, send } from "./requests.js";

/**
 * A player's account at the hub: its name, the devices that may play for it, and whether there is a recovery code.
 * @typedef {import("./identity.js").Player} Player
 * @typedef {import("../net/messages.js").HttpAccount} Account
 * @typedef {Account["devices"][number]} Device
 */

const ME = "/api/players/me";
/** The player whom this page is signing out: that the hub then no longer knows them is no news. */
let leaving = /** @type {string | null} */ (null);
/** Most tokens for one hub that are tried in a row. */
const TRIES = 3;
let comingBack = /** @type {Promise<void> | null} */ (null);

/**
 * Gives this browser's player `name`, or creates a player with it if there is none. Resolves to the player that this
 * browser then has, which another page may have changed. Throws the reason as an `Error` for people.
 * @param {string} name
 * @returns {Promise<Player>}
 */
export async function takeName(name) {
  // As the hub compares names.
  const wanted = name.trim().replace(/\s+/g, " ").normalize(), known = identity();
  if (known?.name === wanted) return known;
  if (known) {
    const { name: kept } = await send("PUT", `${ME}/name`, { body: { name: wanted }, token: known.token });
    return nowIs({ ...known, name: kept }, known.token);
  }
  const token = pendingToken({ name: wanted });
  const { id, name: kept } = await answered(
    token, send("POST", "/api/players", { body: { name: wanted, token, device: deviceLabel() } }));
  const player = nowIs({ id, name: kept, token }, null);
  // No one would ever use that name.
  if (player.token !== token) await send("DELETE", ME, { token }).catch(() => {});
  return player;
}

/**
 * Opens a room; resolves to the room. Throws the reason as an `Error` for people.
 * @param {Player} player
 * @param {{game: string, options: object, visibility: import("../net/messages.js").Visibility}} room
 */
export const openRoom = (player, room) => send("POST", "/api/rooms", { body: room, token: player.token });

/**
 * Makes this browser a device of the player who made the code. Throws the reason as an `Error` for people. If the
 * browser has another player, or got one in between, its cause is `token-has-name`, with the name of the player who
 * made the code.
 * @param {string} code
 * @param {{isAnother?: boolean}} options `isAnother`: the browser gives up its player
 * @returns {Promise<Player & {by: import("../net/messages.js").HttpDevice["by"]}>}
 */
export async function useCode(code, { isAnother = false } = {}) {
  const before = identity();
  const token = before && !isAnother ? before.token : pendingToken({ code });
  const { id, name, by } = await answered(
    token, send("POST", "/api/players/devices", { body: { code, token, device: deviceLabel() } }));
  const player = { id, name, token, log: logOfHub() }, now = identity();
  if (now && now.token !== before?.token) {
    // The code is used up: only the same token can use it again.
    awaitAnswer({ code }, token);
    const cause = { code: "token-has-name", name };
    throw new Error(text("code.replace", { name: now.name, other: name }), { cause });
  }
  adopt(player, now?.token ?? null);
  if (before && before.token !== token) {
    // It would stay in the other player's list for ever. If it is that player's last device, this browser keeps it.
    savePlayer({ ...before, isGivenUp: true });
    await signOutAs(before).then(() => dropPlayer(before.token), () => {});
  }
  return { ...player, by };
}

/** This browser's account; null if it has no player. Throws the reason as an `Error` for people. */
export async function account() {
  const player = identity();
  return player ? accountOf(player) : null;
}

/**
 * The rooms with a running game in which this browser's player has a seat, and the names of the players there; none
 * without a player. Throws the reason as an `Error` for people.
 * @returns {Promise<import("../net/messages.js").HttpGames>}
 */
export async function runningGames() {
  const player = identity();
  return player ? send("GET", `${ME}/games`, { token: player.token }) : { rooms: [], names: {} };
}

/** Finds out whether the hub still knows this browser's player, and by which name; or returns to a saved player. */
export async function checkIdentity() {
  const player = identity();
  if (!player) return comeBack();
  if (player.token === leaving) return;
  // Without an answer nothing changes: the next connection or request will show it.
  await account().catch(() => {});
}

/**
 * If this browser has no player but has saved one, makes it that player again, if this hub knows the token.
 * @returns {Promise<void>}
 */
export function comeBack() {
  return identity() || savedPlayers().length === 0 ? Promise.resolve()
    : (comingBack ??= trySavedPlayers().catch(() => {}).finally(() => { comingBack = null; }));
}

/** Makes this browser a player that it has saved, and saves the current one. Throws the reason for people. */
export async function switchTo(/** @type {import("./saved-players.js").SavedPlayer} */ saved) {
  const player = asPlayer(saved), { name } = await send("GET", ME, { token: player.token }), before = identity();
  if (before) savePlayer({ ...before, isGivenUp: true });
  adopt({ ...player, name }, before?.token ?? null);
}

/**
 * Signs a device of the player out. Throws the reason as an `Error` for people.
 * @param {string} id
 */
export async function signOutDevice(id) {
  await send("DELETE", `${ME}/devices/${encodeURIComponent(id)}`, { token: identity()?.token });
}

/** Signs this device out. Throws the reason as an `Error` for people. */
export const signOut = () => goingAway(signOutAs);

/** Makes the hub forget the player for good. Throws the reason as an `Error` for people. */
export const forgetMe = () => goingAway(({ token }) => send("DELETE", ME, { token }));

/**
 * A code that makes one other device the player's, and how long it stays valid, in ms. Throws the reason as an `Error`
 * for people.
 * @returns {Promise<{code: string, lifetime: number}>}
 */
export async function drawLinkCode() {
  const { code, until } = await send("POST", `${ME}/link-code`, { token: identity()?.token });
  return { code, lifetime: until - hubTime() };
}

/**
 * A code that makes one device the player's, at any later time; it replaces an earlier one. Throws the reason as an
 * `Error` for people.
 * @returns {Promise<string>}
 */
export async function drawRecoveryCode() {
  return (await send("POST", `${ME}/recovery-code`, { token: identity()?.token })).code;
}

/**
 * @param {Player} player
 * @returns {Promise<Account>}
 */
async function accountOf(player) {
  const found = await send("GET", ME, { token: player.token });
  // Changed on another device.
  if (found.name !== player.name) adopt({ ...player, name: found.name }, player.token);
  return found;
}

async function trySavedPlayers() {
  // The answer says which log the hub has: a player saved for that log returns by it.
  await send("GET", "/api/rooms");
  const own = savedPlayers().filter(({ log, isSignedOut, isGivenUp }) =>
    isSignedOut && !isGivenUp && (!log || log === logOfHub()));
  for (const saved of own.reverse().slice(0, TRIES)) {
    if (identity()) return;
    const player = asPlayer(saved);
    try {
      const { name } = await send("GET", ME, { token: player.token });
      return takeBack({ ...player, name });
    } catch (problem) { if (problem.cause?.code !== "unknown-token") throw problem; }
  }
}

/** @param {Player} player */
async function signOutAs(player) {
  const { devices } = await send("GET", ME, { token: player.token });
  const own = devices.find((/** @type {Device} */ { current }) => current);
  await send("DELETE", `${ME}/devices/${encodeURIComponent(own?.id ?? "")}`, { token: player.token });
}

/**
 * Performs an action that makes the hub forget this browser's token, and then forgets it here.
 * @param {(player: Player) => Promise<void>} act
 */
async function goingAway(act) {
  const player = identity();
  if (!player) return;
  leaving = player.token;
  try {
    await act(player);
    forget(player.token);
  } finally {
    leaving = null;
  }
}

/**
 * Makes this browser `player` in place of the player with the token `before`; returns the player that it then has.
 * @param {Player} player
 * @param {string | null} before
 */
function nowIs(player, before) {
  adopt(player, before);
  const now = identity();
  if (!now) throw new Error(text("error.unknown-token"));
  return now;
}

/**
 * @template Answer
 * @param {string} token kept until the request is answered
 * @param {Promise<Answer>} request
 */
async function answered(token, request) {
  const asked = logOfHub();
  try {
    const answer = await request;
    settle(token);
    return answer;
  } catch (problem) {
    // A hub other than the one asked before knows nothing of what that one did.
    if (isRefused(problem) && (asked === undefined || asked === logOfHub())) settle(token);
    throw problem;
  }
}
