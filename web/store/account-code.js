// @ts-check

/** In an address that moves a player to another device, the code follows this: after `#`, so that no server sees it. */
export const CODE_HASH = "#code=";

/** 32 digits and letters, without letters that look like another character: Crockford's base 32. */
const CODE = /^[0-9A-HJKMNP-TV-Z]{32}$/;

/**
 * The code in typed text, or in pasted text with the link around it; null if there is none. Reads it as the hub does:
 * case, spaces and dashes do not count, and letters that look like a digit are that digit.
 * @param {string} written
 */
export function readCode(written) {
  const start = written.indexOf(CODE_HASH);
  const bare = start < 0 ? written : written.slice(start + CODE_HASH.length);
  const code = bare.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return CODE.test(code) ? code : null;
}
