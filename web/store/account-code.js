// @ts-check

/** What the address of a page bears that takes a player along: behind `#`, so that no server hears the code. */
export const CODE_HASH = "#code=";

/** 32 digits and letters, without those that look like another: Crockford's base 32. */
const CODE = /^[0-9A-HJKMNP-TV-Z]{32}$/;

/**
 * The code in what somebody typed, or pasted with the link around it; null where there is none. As the hub reads it:
 * case, blanks and dashes do not count, and letters that look like a digit are that digit.
 * @param {string} written
 */
export function readCode(written) {
  const start = written.indexOf(CODE_HASH);
  const bare = start < 0 ? written : written.slice(start + CODE_HASH.length);
  const code = bare.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return CODE.test(code) ? code : null;
}
