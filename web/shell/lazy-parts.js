// @ts-check
import { timeLimit } from "../net/network.js";
import { text } from "../texts/texts.js";

/** How long a page is left alone before it loads what may be needed later, in ms, and before it retries. */
const PEACE = 4_000;
/** The hub counts as away if it does not return a small file within this time, in ms. */
const LONGEST_TRY = 6_000;
/** A load that takes longer than this, in ms, was lost on a line that swallowed it: browsers would wait for ever. */
const LONGEST_LOAD = 10_000;
/** Loads of the missing parts, in the order of their creation; each resolves to null if it cannot load now. */
const waiting = /** @type {(() => Promise<unknown>)[]} */ ([]);

/** @typedef {import("../pages/elements.js").Toast} Toast */

/**
 * A part of a page that the first view does without. It loads on first use, or while nothing else needs doing, so that
 * it is there when the hub is not. `use` acts at once if it has loaded, else when it has, once for each act, however
 * often someone presses until then; if it cannot load, a toast says so. `part` is null until then.
 * @template Part
 * @param {(again: string) => Promise<() => Part>} load imports a function that is called once, to make the part.
 *   `again` follows addresses and differs with each try, because browsers remember a module that failed to load
 * @param {Toast} toast
 */
export function lazyPart(load, toast) {
  let part = /** @type {Part | null} */ (null);
  let coming = /** @type {Promise<Part | null> | null} */ (null);
  let tries = 0;
  const wanted = new Set();
  const come = () => (coming ??= bring(() => load(tries++ > 0 ? `?${tries}` : ""))
    .then((make) => (part = make && make()))
    .finally(() => { coming = null; }));
  waiting.push(async () => part ?? come());
  return {
    get part() { return part; },
    /** @param {(part: Part) => void} act */
    async use(act) {
      if (part) return act(part);
      if (wanted.has(act)) return;
      wanted.add(act);
      // A load in progress may have been lost long ago, and says nothing about the line as it is now.
      const wasUnderWay = coming !== null;
      const now = await saying(toast, async () => await come().catch(come) ?? (wasUnderWay ? come() : null));
      wanted.delete(act);
      if (now) act(now);
    },
  };
}

/**
 * What `load` imports; null if the hub is away. That is checked first, because in many browsers a module that failed
 * once stays missing for as long as the page is open. Throws if it fails, or takes longer than `LONGEST_LOAD`.
 * @template Part
 * @param {() => Promise<Part>} load
 */
export async function bring(load) {
  const limit = timeLimit(LONGEST_TRY);
  // A page opened from the cache finds its files there.
  const isThere = await fetch("/icon.svg", { cache: "no-store", signal: limit }).then(({ ok }) => ok, () => false);
  if (!isThere) return null;
  return Promise.race([load(), new Promise((_, fail) => {
    setTimeout(() => fail(new Error(`Nothing has come in ${LONGEST_LOAD} ms.`)), LONGEST_LOAD);
  })]);
}

/**
 * The result of `load`; if it is null or an error, a toast says so, and the result is null.
 * @template Part
 * @param {Toast} toast
 * @param {() => Promise<Part | null>} load
 */
export async function saying(toast, load) {
  try {
    const part = await load();
    if (part === null) toast(text("line.no-hub"), "bad");
    return part;
  } catch {
    toast(text("line.part"), "bad", { label: text("line.anew"), take: () => location.reload() });
    return null;
  }
}

/** Loads all parts one by one, each when the browser has nothing to draw. */
export function loadPartsWhenIdle() {
  const next = async () => {
    const [come] = waiting;
    if (!come) return;
    const isAway = await come().then((part) => part === null, () => false);
    if (!isAway) waiting.shift();
    setTimeout(() => whenIdle(next), isAway ? PEACE : 0);
  };
  setTimeout(() => whenIdle(next), PEACE);
}

/** @param {() => void} act */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act);
  else setTimeout(act, 200);
}
