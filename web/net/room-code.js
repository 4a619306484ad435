// @ts-check

/** In a link to a room or its replay, the room's code follows this. */
const LINK = /\/(?:room|replay)\/([^/?#\s]*)/i;
/** The hub's codes have no other characters: none that look like another. */
const NO_SIGN = /[^23456789abcdefghjkmnpqrstuvwxyz]/;
/** The lengths of a public room's code and of one that cannot be guessed. */
const LENGTHS = [6, 17];
/** Most codes to look for among words, and most words that one may be split into. */
const CODE_LIMIT = 5;
const WORD_LIMIT = 6;

/**
 * The room's code in an address or in typed text, empty if there is none: the code in any case, with spaces, dashes and
 * line breaks in it; or a link, with or without words around it.
 * @param {string} typed
 */
export function codeIn(typed) {
  // An input method for Chinese may have typed full-width letters.
  const plain = typed.normalize("NFKC"), link = LINK.exec(plain);
  return link ? leading(decoded(link[1])) : bare(plain);
}

/** The code at the start of `text`, up to the end of a word; all of it if it starts with none. */
function leading(/** @type {string} */ text) {
  const ends = [...text.matchAll(/[a-z\d](?![a-z\d])/gi)].map(({ index = 0 }) => index + 1).reverse();
  return ends.map((end) => bare(text.slice(0, end))).find(isCode) ?? bare(text);
}

/**
 * What may be a room's code in typed or pasted text, the likeliest first; or why there is none: `link` leads to no
 * room, `sign` is a character that no code has, `length` is one that no code has.
 * @param {string} typed
 * @returns {{codes: string[], problem?: "link" | "sign" | "length", sign?: string}}
 */
export function codesIn(typed) {
  const plain = typed.normalize("NFKC"), whole = codeIn(typed);
  if (LINK.test(plain)) return whole ? { codes: [whole] } : { codes: [], problem: "link" };
  if (isCode(whole)) return { codes: [whole] };
  if (/https?:\/\//i.test(plain)) return { codes: [], problem: "link" };
  const codes = amongWords(plain);
  if (codes.length > 0) return { codes };
  const sign = LENGTHS.includes(whole.length) ? NO_SIGN.exec(whole)?.[0] : undefined;
  return sign ? { codes, problem: "sign", sign } : { codes, problem: "length" };
}

/**
 * Successive words that form a code together; first those with a digit or in capitals, then those of fewest words.
 * @param {string} plain
 */
function amongWords(plain) {
  const words = plain.split(/[^\p{L}\p{N}\p{Pd}]+/u).filter((word) => bare(word) !== "");
  const found = words.flatMap((_, start) => Array.from({ length: WORD_LIMIT }, (_, more) => {
    const part = words.slice(start, start + more + 1), written = part.join("");
    const isMarked = /\d/.test(written) || written === written.toUpperCase();
    return { code: bare(written), rank: (isMarked ? 0 : WORD_LIMIT) + part.length, isThere: part.length === more + 1 };
  })).filter(({ code, isThere }) => isThere && isCode(code));
  return [...new Set(found.sort((a, b) => a.rank - b.rank).map(({ code }) => code))].slice(0, CODE_LIMIT);
}

const isCode = (/** @type {string} */ code) => LENGTHS.includes(code.length) && !NO_SIGN.test(code);

const bare = (/** @type {string} */ text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
