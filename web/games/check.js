// @ts-check
import { bytesOf, joined, sha256 } from "../cryptography/sha256.js";
import { checkGames, sealOf } from "./check-fairness.js";
import { gameOf, isKnown } from "./list.js";

/**
 * One step of a check. `result`: it `holds`, it `fails`, it is still `open` (nothing to compare with yet), or something
 * that was promised is `missing`, which proves nothing.
 * @typedef {Object} Finding
 * @property {string} step `log`, `chain`, `fold`, `commitment`, `nonces`, `seals`, `undealt`, `unused`, `unknown`
 *   (the game), or a game's own
 * @property {"holds" | "fails" | "open" | "missing"} result
 * @property {number} [game] the number of the game
 * @property {number} [version] of the event that does not match
 * @property {import("./game.js").Values} [values] for the sentence
 *
 * @typedef {{version: number, head: string}} Head a fingerprint of the chain, from a `welcome` or `resume`
 */

/**
 * Checks a room's log: that it is complete, that its chain has each of `heads`, and that each finished game was dealt
 * as promised. It trusts the hub only for the heads.
 * @param {{code: string, entries: import("../net/room-log.js").Entry[], heads?: Head[]}} room
 * @returns {Promise<Finding[]>}
 */
export async function checkRoom({ code, entries, heads = [] }) {
  const log = checkLog(entries);
  const chain = checkChain(code, entries, heads);
  // A log that cannot be read has no games to check.
  if (log.result === "fails") return [log, chain];
  const events = entries.flatMap(({ event }) => event ?? []);
  const { game } = /** @type {import("../net/messages.js").EventRoomOpened} */ (events[0]);
  const deal = await gameOf(game).check?.();
  const found = [log, chain, ...checkGames(code, events, deal?.dealCheck)];
  if (isKnown(game)) return found;
  // This page cannot know whether the game has random draws, or how they are made.
  return [...found.filter(({ step }) => step !== "undealt"), { step: "unknown", result: "open" }];
}

/**
 * @param {import("../net/room-log.js").Entry[]} entries
 * @returns {Finding}
 */
function checkLog(entries) {
  let time = 0;
  for (const [index, { event }] of entries.entries()) {
    const version = index + 1;
    if (event?.v !== version || !(event.t >= time)) return { step: "log", result: "fails", version };
    if ((event.type === "room-opened") !== (version === 1)) return { step: "log", result: "fails", version };
    time = event.t;
  }
  if (entries.length === 0) return { step: "log", result: "fails", version: 1 };
  return { step: "log", result: "holds", values: { count: entries.length } };
}

/**
 * The head after each event of a log that begins at version 1; index 0 has the one before all events.
 * @param {string} code
 * @param {import("../net/room-log.js").Entry[]} entries
 */
export function headsOf(code, entries) {
  const all = [sha256(new TextEncoder().encode(`room/${code}`))];
  for (const [index, { bytes, event }] of entries.entries()) {
    all.push(sha256(joined(bytesOf(all[index]), bytesOf(sha256(bytes)), sealedWith(event))));
  }
  return all;
}

/**
 * An event is sealed with the seed of the next game, or with what its player may see alone. The chain has the hash of
 * that, and so does the event.
 * @param {import("../net/room-log.js").Entry["event"]} event
 */
function sealedWith(event) {
  const hasSeed = event?.type === "room-opened" || event?.type === "game-ended";
  const hash = hasSeed ? event.commitment : sealOf(event);
  return bytesOf(typeof hash === "string" ? hash : "");
}

/**
 * @param {string} code
 * @param {import("../net/room-log.js").Entry[]} entries
 * @param {Head[]} heads
 * @returns {Finding}
 */
function checkChain(code, entries, heads) {
  const known = [...heads].sort((a, b) => a.version - b.version), newest = known.at(-1)?.version ?? 0;
  // A log that ends before a known head was cut off.
  if (newest > entries.length) {
    const from = entries.length + 1;
    return { step: "chain", result: "fails", version: entries.length, values: { from, to: newest } };
  }
  if (known.length === 0) return { step: "chain", result: "open" };
  const all = headsOf(code, entries);
  const broken = known.find(({ version, head }) => all[version] !== head);
  const last = known[known.length - 1];
  if (!broken) return { step: "chain", result: "holds", values: { head: last.head, count: last.version } };
  // Nothing before a head that holds was changed. The change lies after the last such head.
  const holds = known.filter(({ version }) => version < broken.version).at(-1)?.version ?? 0;
  return { step: "chain", result: "fails", version: broken.version, values: { from: holds + 1, to: broken.version } };
}
