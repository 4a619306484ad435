// @ts-check
import { timeLimit } from "../net/network.js";
import { element } from "../pages/elements.js";
import { text } from "../texts/texts.js";

/** How often a page without a line tries whether there is one again, in ms. */
const RETRY_EVERY = 3_000;
/** Each try is given up after so long, in ms. */
const LONGEST_TRY = 6_000;

/** Lets the page open without a line, where the browser allows it: on https and on this machine. */
export function keepForOffline() {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  // What it keeps is fetched once the page itself has all that it needs. A certificate of one's own is refused: the
  // page works as before.
  const register = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** Says in the header that there is no line, on a page that has no connection of its own. */
export function sayWhenOffline() {
  const line = element("line");
  let tries = 0, timer = 0, beganOffline = false;
  const say = (/** @type {boolean} */ isThere) => {
    line.hidden = isThere;
    line.textContent = isThere ? "" : text("offline.now");
    clearTimeout(timer);
    if (!isThere) timer = window.setTimeout(check, RETRY_EVERY);
  };
  const check = async (isFirst = false) => {
    const now = ++tries;
    const isThere = await tagOfFiles() !== null;
    // The browser has reported something newer since.
    if (now !== tries) return;
    beganOffline ||= isFirst && !isThere;
    say(isThere);
    // What was kept may be old.
    if (isThere && beganOffline) location.reload();
  };
  // Believed at once; a hub on this machine is there all the same, as is found out soon.
  addEventListener("offline", () => {
    tries++;
    say(false);
  });
  addEventListener("online", () => check());
  // Without a worker the page has just come from the hub.
  if (navigator.serviceWorker?.controller) check(true);
}

/** The tag of the hub's list of its files, another one if any of them is another; null where the hub is not there. */
export const tagOfFiles = () =>
  fetch("/files.json", { method: "HEAD", cache: "no-store", signal: timeLimit(LONGEST_TRY) })
    .then(({ ok, headers }) => (ok ? headers.get("ETag") : null), () => null);
