// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "./element-changes.js";
import { miniatureOf } from "./miniature.js";

/**
 * A room in a list: the whole row leads to `href`, and if there is a free seat, a button takes it.
 * @typedef {{code: string, game: string, href: string, what: string, who: string, status: string, state: string,
 *   isJoinable: boolean}} Row
 */

/**
 * A list of rooms; draws any rooms given to the returned function. If there are none its `section` takes no space. The
 * button `more` appears if not all are shown.
 * @param {{root: HTMLElement, section: HTMLElement, more: HTMLButtonElement, row: HTMLTemplateElement,
 *   miniature: HTMLTemplateElement}} parts
 * @param {number} few how many are shown at first
 * @param {string} moreText the key of the button's words
 * @param {(code: string, button: HTMLElement) => void} join
 */
export function roomList({ root, section, more, row, miniature }, few, moreText, join = (_code, _button) => {}) {
  /** @type {Map<string, HTMLElement>} */
  let items = new Map();
  let last = /** @type {Row[]} */ ([]), showsAll = false;
  const make = (/** @type {Row} */ { code, game }) => {
    const element = /** @type {HTMLElement} */ (row.content.firstElementChild?.cloneNode(true));
    element.querySelector(".picture")?.append(miniatureOf(miniature, game).root);
    const button = /** @type {HTMLElement | null} */ (element.querySelector(":scope > button"));
    button?.addEventListener("click", () => join(code, button));
    return element;
  };
  const draw = (/** @type {Row[]} */ rows) => {
    last = rows;
    const shown = showsAll ? rows : rows.slice(0, few);
    show(section, rows.length > 0);
    show(more, shown.length < rows.length);
    write(more, text(moreText, { count: rows.length - shown.length }));
    // Drawing the list again must not move the focus.
    const focused = document.activeElement;
    const elements = new Map(shown.map((one) => [one.code, items.get(one.code) ?? make(one)]));
    shown.forEach((one, index) => {
      const element = /** @type {HTMLElement} */ (elements.get(one.code));
      fill(element, one);
      if (root.children[index] !== element) root.insertBefore(element, root.children[index] ?? null);
    });
    for (const element of [...root.children].slice(shown.length)) element.remove();
    if (focused instanceof HTMLElement && focused !== document.activeElement && root.contains(focused)) focused.focus();
    items = elements;
  };
  more.addEventListener("click", () => {
    showsAll = true;
    draw(last);
    root.children[few]?.querySelector("a")?.focus();
  });
  return draw;
}

/**
 * Writes only what has changed, so that a screen reader in the list is not interrupted.
 * @param {HTMLElement} element
 * @param {Row} row
 */
function fill(element, { code, href, what, who, status, state, isJoinable }) {
  const link = /** @type {HTMLAnchorElement} */ (element.querySelector("a"));
  const button = /** @type {HTMLButtonElement} */ (element.querySelector(":scope > button"));
  if (link.getAttribute("href") !== href) link.setAttribute("href", href);
  element.dataset.status = status;
  link.id = `room-${code}`;
  button.id = `join-${code}`;
  button.setAttribute("aria-labelledby", `${button.id} ${link.id}`);
  for (const [name, words] of Object.entries({ what, who, state })) write(link.querySelector(`.${name}`), words);
  show(button, isJoinable);
}
