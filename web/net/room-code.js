// @ts-check

/** What stands behind these, in a link to a room or to its replay, is the room's code. */
const LINK = /\/(?:room|replay)\/([^/?#\s]*)/i;

/**
 * The room's code in what somebody typed or pasted, empty where there is none: the code in whatever letters, with
 * blanks, dashes and line breaks between; or a link, be there words around it.
 * @param {string} typed
 */
export function codeIn(typed) {
  // Whoever writes Chinese may have typed wide letters.
  const plain = typed.normalize("NFKC"), link = LINK.exec(plain);
  return (link ? decoded(link[1]) : plain).toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** @param {string} text */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }
