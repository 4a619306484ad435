// @ts-check
import { spoken, text } from "../texts/texts.js";
import { bringIntoSight } from "./scrolling.js";

/** Events are listed this many at a time, and as many before and after: a long room has thousands. */
const PAGE = 40;

/**
 * The events of a room around one of them, as sentences in `root`. Calls `jump(version)` for a chosen one; draws any
 * position given to the returned function.
 * @param {HTMLElement} root
 * @param {(version: number) => void} jump
 */
export function eventList(root, jump) {
  /** The first and last version listed, and what they were made from. */
  let first = 1, last = 0, drawn = "";
  root.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button?.dataset.version) jump(Number(button.dataset.version));
  });
  /**
   * @param {{version: number, length: number, stamp: string, sentence: (version: number) => string,
   *   time: (version: number) => number}} list `stamp` changes when a sentence does
   */
  return function draw({ version, length, stamp, sentence, time }) {
    const page = Math.floor((version - 1) / PAGE);
    const from = Math.max(1, (page - 1) * PAGE + 1), to = Math.min(length, (page + 2) * PAGE);
    const now = `${from}/${to}/${stamp}`;
    if (now !== drawn) {
      // Made once: making them takes longer than using them.
      const clock = new Intl.DateTimeFormat(spoken(), { timeStyle: "medium" });
      const date = new Intl.DateTimeFormat(spoken(), { dateStyle: "medium", timeStyle: "medium" });
      const items = Array.from({ length: to - from + 1 }, (_, index) => {
        const version = from + index;
        return item(version, sentence(version), new Date(time(version)), { clock, date });
      });
      if (from > 1) items.unshift(more("replay.earlier", from - 1));
      if (to < length) items.push(more("replay.later", to + 1));
      root.replaceChildren(...items);
      [first, last, drawn] = [from, to, now];
    }
    for (const old of root.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = version >= first && version <= last ? root.querySelector(`[data-event="${version}"]`) : null;
    current?.setAttribute("aria-current", "step");
    // At once: after a new list or a dragged track it may be a long way.
    if (current?.parentElement) bringIntoSight(root, current.parentElement, { isAtOnce: true });
  };
}

/**
 * @param {number} version
 * @param {string} sentence
 * @param {Date} moment
 * @param {{clock: Intl.DateTimeFormat, date: Intl.DateTimeFormat}} formats
 */
function item(version, sentence, moment, { clock, date }) {
  const element = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.dataset.version = button.dataset.event = String(version);
  const when = document.createElement("time");
  when.dateTime = moment.toISOString();
  when.textContent = clock.format(moment);
  when.title = date.format(moment);
  const words = document.createElement("span");
  words.textContent = sentence;
  button.append(when, words);
  element.append(button);
  return element;
}

function more(/** @type {string} */ key, /** @type {number} */ version) {
  const element = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.dataset.version = String(version);
  button.textContent = text(key);
  element.append(button);
  return element;
}
