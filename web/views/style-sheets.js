// @ts-check

/**
 * Style sheets that this page has brought in, by path.
 * @type {Map<string, Promise<void>>}
 */
const sheets = new Map();

/**
 * Brings in a style sheet that the first view does without; settles once it holds, or cannot be had.
 * @param {string} path
 */
export function styled(path) {
  const known = sheets.get(path);
  if (known) return known;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: path });
  const settled = new Promise((settle) => {
    link.onload = settle;
    link.onerror = () => {
      // Tried anew the next time.
      sheets.delete(path);
      link.remove();
      settle(undefined);
    };
  });
  sheets.set(path, settled);
  document.head.append(link);
  return settled;
}

/** Settles once each style sheet that `preload.js` has named holds, or cannot be had. */
export const styledAsNamed = () =>
  Promise.all([...document.querySelectorAll('link[data-settled="false"]')].map((link) => new Promise((settle) => {
    for (const name of ["load", "error"]) link.addEventListener(name, settle);
  })));
