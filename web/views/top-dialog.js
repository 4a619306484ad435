// @ts-check

/** Open dialogs in the order in which they were opened, which need not be their order in the page. */
let opened = /** @type {HTMLDialogElement[]} */ ([]);

/**
 * The dialog that lies over all others; undefined where none is open. It has to be asked after each that opens, to know
 * which one came last.
 * @param {Document} page
 * @returns {HTMLDialogElement | undefined}
 */
export function topDialog(page) {
  const open = /** @type {HTMLDialogElement[]} */ ([...page.querySelectorAll("dialog[open]")]);
  opened = [...opened.filter((dialog) => open.includes(dialog)), ...open.filter((dialog) => !opened.includes(dialog))];
  return opened.at(-1);
}
