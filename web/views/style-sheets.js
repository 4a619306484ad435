// @ts-check

/**
 * Style sheets that this page has brought in, by path.
 * @type {Map<string, Promise<void>>}
 */
const sheets = new Map();

/**
 * Brings in a style sheet, unless the page has it from the beginning; settles once it holds, or cannot be had.
 * @param {string} path
 */
export function styled(path) {
  const known = sheets.get(path);
  if (known) return known;
  // The hub joins those of a first view.
  if (document.querySelector(`link[data-holds~="${path}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: path });
  const settled = new Promise((settle) => {
    link.onload = settle;
    link.onerror = () => {
      // The next call tries again.
      sheets.delete(path);
      link.remove();
      settle(undefined);
    };
  });
  sheets.set(path, settled);
  document.head.append(link);
  return settled;
}
