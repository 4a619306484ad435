// @ts-check

/**
 * Style sheets that this page has loaded, by path.
 * @type {Map<string, Promise<void>>}
 */
const sheets = new Map();

/**
 * Loads a style sheet, unless the page has had it from the start; settles once it applies or has failed.
 * @param {string} path
 */
export function styled(path) {
  const known = sheets.get(path);
  if (known) return known;
  // The hub joins those of a first view into one.
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
