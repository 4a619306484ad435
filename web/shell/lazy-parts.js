// @ts-check
import { timeLimit } from "../net/network.js";
import { text } from "../texts/texts.js";

/** So long a page is left in peace before it brings what may be wanted later, in ms; and again, where it could not. */
const PEACE = 4_000;
/** The hub is away if it does not give a small file in so long, in ms. */
const LONGEST_TRY = 6_000;
/** What has not come in so long is taken for lost on a line that swallowed it, in ms: browsers would wait for ever. */
const LONGEST_LOAD = 10_000;
/** What has not come yet, in the order in which it was named; each gives null where it cannot come now. */
const waiting = /** @type {(() => Promise<unknown>)[]} */ ([]);

/** @typedef {import("../pages/elements.js").Toast} Toast */

/**
 * A part of a page that the first view does without: it comes with its first use, or while nothing else is to be done,
 * so that it is there when the hub is not. `use` acts at once where it is there, else when it has come, once for each
 * act, however often someone presses until then; where it cannot come, it says so. `part` is null until then.
 * @template Part
 * @param {(again: string) => Promise<() => Part>} load imports what is called, once, to make the part. `again` goes
 *   behind addresses, for it is another with each try: browsers keep what did not come
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
      // What was under way may have been lost for long, and says nothing of the line as it is now.
      const wasUnderWay = coming !== null;
      const now = await saying(toast, async () => await come().catch(come) ?? (wasUnderWay ? come() : null));
      wanted.delete(act);
      if (now) act(now);
    },
  };
}

/**
 * What `load` imports; null where the hub is away, which is found out before: to many browsers a module that could not
 * be had once is missing for as long as the page is open. Throws where it does not come, or not in `LONGEST_LOAD`.
 * @template Part
 * @param {() => Promise<Part>} load
 */
export async function bring(load) {
  const limit = timeLimit(LONGEST_TRY);
  // A page that lives on what is kept finds its files there.
  const isThere = await fetch("/icon.svg", { cache: "no-store", signal: limit }).then(({ ok }) => ok, () => false);
  if (!isThere) return null;
  return Promise.race([load(), new Promise((_, fail) => {
    setTimeout(() => fail(new Error(`Nothing has come in ${LONGEST_LOAD} ms.`)), LONGEST_LOAD);
  })]);
}

/**
 * What `load` brings; null where it cannot, and then it says so.
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

/** Brings all parts one by one, each in a moment in which the browser has nothing to draw. */
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
