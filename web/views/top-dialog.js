// @ts-check

/** Open dialogs in the order in which they opened, which may differ from their order in the page. */
let opened = /** @type {HTMLDialogElement[]} */ ([]);

/**
 * The topmost dialog; undefined if none is open. Call it after each one opens, so that it knows which came last.
 * @param {Document} page
 * @returns {HTMLDialogElement | undefined}
 */
export function topDialog(page) {
  const open = /** @type {HTMLDialogElement[]} */ ([...page.querySelectorAll("dialog[open]")]);
  opened = [...opened.filter((dialog) => open.includes(dialog)), ...open.filter((dialog) => !opened.includes(dialog))];
  return opened.at(-1);
}
