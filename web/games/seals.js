// @ts-check

/**
 * What a game's sealed events fixed without showing it. The event has a `seal`, the SHA-256 of 32 bytes of salt and the
 * sealed fields as JSON; the end of the game reveals those bytes.
 * @typedef {NonNullable<import("../net/messages.js").Reveal["seals"]>} Seals
 * @typedef {Record<number, Record<string, any>>} Sealed the sealed fields, by the version of their event
 */

/** Hexadecimal digits of the salt. */
const SALT = 64;

/**
 * Throws if anything is not JSON.
 * @param {Seals} [seals] revealed at the end of a game
 * @returns {Sealed}
 */
export function sealedIn(seals = []) {
  return Object.fromEntries(seals.map(({ v, sealed }) => {
    const bytes = (sealed.slice(SALT).match(/../g) ?? []).map((hex) => parseInt(hex, 16));
    return [v, JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes)))];
  }));
}
