// @ts-check
import { refusal, text } from "../texts/texts.js";
import { isShared, recall, remember } from "./storage.js";

/**
 * Who this browser is: a name and the token that proves it, kept in the browser alone.
 * @typedef {{id: string, name: string, token: string}} Player
 */
const PLAYER = "flipside.player";
/** A registration that has been sent: sent again with the same token, it is the same one, not a name that is taken. */
const ASKED = "flipside.asked";

/** @returns {Player | null} */
export function identity() { return recall(PLAYER); }

/**
 * This browser is `player` from now on, as another of theirs was before.
 * @param {Player} player
 */
export function adopt(player) { remember(PLAYER, player); }

/** The hub does not know the token any more: the next registration draws another. */
export function forget() { remember(PLAYER, null); }

/** Whether other pages of this browser know the player, too: not where it keeps nothing. */
export const isKnownElsewhere = () => isShared(PLAYER);

/** What a room's address bears behind `#` where a player comes along: nothing behind it ever leaves the browser. */
export const SEAT = "#seat=";

/**
 * Where to go for room `code`, as the player of this page.
 * @param {string} code
 */
export function roomAddress(code) {
  const player = identity();
  return `/room/${encodeURIComponent(code)}${player && !isKnownElsewhere() ? SEAT + player.token : ""}`;
}

/**
 * Registers `name`, unless this browser bears it already. Throws the reason as an `Error` for people.
 * @param {string} name
 * @returns {Promise<Player>}
 */
export async function register(name) {
  const wanted = name.trim().replace(/\s+/g, " ").normalize();
  const known = identity();
  if (known?.name === wanted) return known;
  const asked = recall(ASKED)?.name === wanted ? recall(ASKED) : { name: wanted, token: drawToken() };
  remember(ASKED, asked);
  let answer, { token } = asked;
  try {
    answer = await send("POST", "/api/players", asked);
  } catch (problem) {
    // Taken by oneself, perhaps: what the hub keeps otherwise than it was typed, it alone knows.
    if (!known || problem.cause !== "name-taken") throw problem;
    ({ token } = known);
    answer = await send("POST", "/api/players", { name: wanted, token }).catch(() => { throw problem; });
  }
  const player = { ...answer, token };
  remember(PLAYER, player);
  remember(ASKED, null);
  return player;
}

/**
 * Opens a room; the answer is the room. Throws the reason as an `Error` for people.
 * @param {Player} player
 * @param {{game: string, options: object, visibility: "public" | "unlisted"}} room
 */
export function openRoom(player, room) { return send("POST", "/api/rooms", room, player.token); }

/**
 * Registers another name, and then gives up the one before: on the hub that is another player. Throws the reason as an
 * `Error` for people; then all is as it was.
 * @param {string} name
 */
export async function changeName(name) {
  const before = identity();
  const player = await register(name);
  if (!before || before.token === player.token) return player;
  // The name that nobody bears any more stays taken if this fails: that harms nobody enough to undo the change.
  await send("DELETE", "/api/players/me", undefined, before.token).catch(() => {});
  return player;
}

/** Gives the name up for good, and everything with it. Throws the reason as an `Error` for people. */
export async function giveUpName() {
  const player = identity();
  if (!player) return;
  await send("DELETE", "/api/players/me", undefined, player.token);
  forget();
}

/**
 * @param {"POST" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [token]
 */
async function send(method, path, body, token) {
  /** @type {Record<string, string>} */
  const headers = body ? { "Content-Type": "application/json" } : {};
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Error(text("line.no-hub"));
  }
  // Whatever stands between the page and the hub may answer with something else.
  const fields = await answer.json().catch(() => ({}));
  if (answer.ok) return fields;
  if (answer.status === 401 && token === identity()?.token) forget();
  if (answer.status < 500) remember(ASKED, null);
  const reason = fields.code ? refusal(fields) : text("line.answered", { status: answer.status });
  throw new Error(reason, { cause: fields.code });
}

/** 32 random bytes in base64url. `crypto.subtle` is missing on plain http in a local network; this is not. */
function drawToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const FIRST = ["Swift", "Clever", "Quiet", "Bright", "Lucky", "Merry", "Bold", "Gentle", "Nimble", "Sunny"];
const SECOND = ["Fox", "Otter", "Owl", "Panda", "Robin", "Badger", "Lynx", "Whale", "Heron", "Marten"];

/** A name that is probably free. */
export function proposeName() {
  const pick = (/** @type {any[]} */ list) => list[Math.floor(Math.random() * list.length)];
  return `${pick(FIRST)} ${pick(SECOND)} ${Math.floor(Math.random() * 900) + 100}`;
}
