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
/** Of whom this page signs this device out: that the hub does not know them any more is no news. */
let leaving = /** @type {string | null} */ (null);
/** Most tokens of one hub that are tried in a row. */
const TRIES = 3;
let comingBack = /** @type {Promise<void> | null} */ (null);

/**
 * Gives this browser's player `name`; where there is none yet, one that bears it. The answer is who this browser is
 * then: another of its pages may have made it somebody else. Throws the reason as an `Error` for people.
 * @param {string} name
 * @returns {Promise<Player>}
 */
export async function takeName(name) {
  // As the hub compares it with the one that is borne.
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
  // Nobody would ever bear that name.
  if (player.token !== token) await send("DELETE", ME, { token }).catch(() => {});
  return player;
}

/**
 * Opens a room; the answer is the room. Throws the reason as an `Error` for people.
 * @param {Player} player
 * @param {{game: string, options: object, visibility: import("../net/messages.js").Visibility}} room
 */
export const openRoom = (player, room) => send("POST", "/api/rooms", { body: room, token: player.token });

/**
 * This browser is a device of whoever has made the code, from now on. Throws the reason as an `Error` for people; where
 * the browser is somebody else, or has become so meanwhile, its cause is `token-has-name`, with the name of who made
 * the code.
 * @param {string} code
 * @param {{isAnother?: boolean}} options `isAnother`: the browser gives up who it is
 * @returns {Promise<Player & {by: import("../net/messages.js").HttpDevice["by"]}>}
 */
export async function useCode(code, { isAnother = false } = {}) {
  const before = identity();
  const token = before && !isAnother ? before.token : pendingToken({ code });
  const { id, name, by } = await answered(
    token, send("POST", "/api/players/devices", { body: { code, token, device: deviceLabel() } }));
  const player = { id, name, token, log: logOfHub() }, now = identity();
  if (now && now.token !== before?.token) {
    // The code is used: with the same token it can be taken again.
    awaitAnswer({ code }, token);
    const cause = { code: "token-has-name", name };
    throw new Error(text("code.replace", { name: now.name, other: name }), { cause });
  }
  adopt(player, now?.token ?? null);
  if (before && before.token !== token) {
    // It would stand in the other's list for ever; where it is the last one there, this browser keeps it.
    savePlayer({ ...before, isGivenUp: true });
    await signOutAs(before).then(() => dropPlayer(before.token), () => {});
  }
  return { ...player, by };
}

/** This browser's account; null where it is nobody. Throws the reason as an `Error` for people. */
export async function account() {
  const player = identity();
  return player ? accountOf(player) : null;
}

/**
 * The rooms in whose running game this browser's player has a seat, and the names of who plays there; none where it is
 * nobody. Throws the reason as an `Error` for people.
 * @returns {Promise<import("../net/messages.js").HttpGames>}
 */
export async function runningGames() {
  const player = identity();
  return player ? send("GET", `${ME}/games`, { token: player.token }) : { rooms: [], names: {} };
}

/** Finds out whether the hub still knows this browser's player, and by which name; or knows again who it was. */
export async function checkIdentity() {
  const player = identity();
  if (!player) return comeBack();
  if (player.token === leaving) return;
  // Without an answer all stays as it is: the next line or request tells.
  await account().catch(() => {});
}

/**
 * Where this browser is no one and has saved who it was: makes it that player again, if this hub knows the token.
 * @returns {Promise<void>}
 */
export function comeBack() {
  return identity() || savedPlayers().length === 0 ? Promise.resolve()
    : (comingBack ??= trySavedPlayers().catch(() => {}).finally(() => { comingBack = null; }));
}

/** Makes this browser a player that it has saved, and saves the one it was. Throws the reason for people. */
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

/** Has the hub forget the player for good. Throws the reason as an `Error` for people. */
export const forgetMe = () => goingAway(({ token }) => send("DELETE", ME, { token }));

/**
 * A code with which another device becomes the player's, once, and for how long yet, in ms. Throws the reason as an
 * `Error` for people.
 * @returns {Promise<{code: string, lifetime: number}>}
 */
export async function drawLinkCode() {
  const { code, until } = await send("POST", `${ME}/link-code`, { token: identity()?.token });
  return { code, lifetime: until - hubTime() };
}

/**
 * A code with which a device becomes the player's, once, however late, in place of the one before. Throws the reason as
 * an `Error` for people.
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
  // Says which log the hub has: a player saved for that log comes back by it.
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
 * Does what makes the hub forget this browser's token, and then forgets it here.
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
 * Makes this browser `player` in place of the player with the token `before`; gives the player that it then has.
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
 * @param {string} token that is not drawn again before the request is answered
 * @param {Promise<Answer>} request
 */
async function answered(token, request) {
  const asked = logOfHub();
  try {
    const answer = await request;
    settle(token);
    return answer;
  } catch (problem) {
    // Another hub than the one that was asked before knows nothing of what that one has done.
    if (isRefused(problem) && (asked === undefined || asked === logOfHub())) settle(token);
    throw problem;
  }
}
