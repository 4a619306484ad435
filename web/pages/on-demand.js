// @ts-check
import { text } from "../texts.js";

/** So long a page is left in peace before it brings what may be wanted later, in ms. */
const PEACE = 4_000;
/** What has not come yet, in the order in which it was named. @type {(() => Promise<any>)[]} */
const waiting = [];

/**
 * A part of a page that the first view does without: it comes with its first use, or while nothing else is to be done,
 * so that it is there when the hub is not. `use` acts at once where it is there, else when it has come; where it cannot
 * come, it says so. `part` is null until then.
 * @template Part
 * @param {() => Promise<Part>} load
 * @param {(text: string, kind?: string) => void} toast
 */
export function onDemand(load, toast) {
  let part = /** @type {Part | null} */ (null);
  let coming = /** @type {Promise<Part> | null} */ (null);
  const bring = async () => {
    coming ??= load();
    try { return (part = await coming); } finally { coming = null; }
  };
  waiting.push(async () => part ?? bring());
  return {
    get part() { return part; },
    /** @param {(part: Part) => void} act */
    use(act) {
      if (part) act(part);
      else bring().then(act, () => toast(text("line.no-hub"), "bad"));
    },
  };
}

/** Brings all parts one by one, each in a moment in which the browser has nothing to draw. */
export function bringWhenIdle() {
  const next = () => waiting.shift()?.().catch(() => {}).then(() => whenIdle(next));
  setTimeout(() => whenIdle(next), PEACE);
}

/** @param {() => void} act */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act);
  else setTimeout(act, 200);
}
