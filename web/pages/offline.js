// @ts-check
import { text } from "../texts.js";
import { element, timeLimit } from "./elements.js";

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
  let isTrying = false, beganOffline = false;
  const check = async (isFirst = false) => {
    if (isTrying) return;
    isTrying = true;
    const isThere = await tagOfFiles() !== null;
    isTrying = false;
    beganOffline ||= isFirst && !isThere;
    line.hidden = isThere;
    line.textContent = isThere ? "" : text("offline.now");
    if (!isThere) setTimeout(check, RETRY_EVERY);
    // What was kept may be old.
    else if (beganOffline) location.reload();
  };
  addEventListener("offline", () => check());
  addEventListener("online", () => check());
  // Without a worker the page has just come from the hub.
  if (navigator.serviceWorker?.controller) check(true);
}

/** The tag of the hub's list of its files, another one if any of them is another; null where the hub is not there. */
export const tagOfFiles = () =>
  fetch("/files.json", { method: "HEAD", cache: "no-store", signal: timeLimit(LONGEST_TRY) })
    .then(({ ok, headers }) => (ok ? headers.get("ETag") : null), () => null);
