// @ts-check
import { timeLimit } from "../net/network.js";
import { element } from "../pages/elements.js";
import { text } from "../texts/texts.js";

/** How often a page without a line checks whether it is back, in ms. */
const RETRY_EVERY = 3_000;
/** Each try is abandoned after this long, in ms. */
const LONGEST_TRY = 6_000;

/** Lets the page open without a line, if the browser allows it: on https and on localhost. */
export function keepForOffline() {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  // The worker fetches its files once the page has all that it needs. With a self-signed certificate the browser
  // refuses it, and the page works as before.
  const register = () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** Shows in the header that there is no line, on a page that has no connection of its own. */
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
    // The browser has since reported something newer.
    if (now !== tries) return;
    beganOffline ||= isFirst && !isThere;
    say(isThere);
    // The cached page may be old.
    if (isThere && beganOffline) location.reload();
  };
  // Believed at once. A hub on this machine still answers, as the next check finds.
  addEventListener("offline", () => {
    tries++;
    say(false);
  });
  addEventListener("online", () => check());
  // Without a worker the page has just come from the hub.
  if (navigator.serviceWorker?.controller) check(true);
}

/** The ETag of the hub's list of its files, which changes with any of them; null if the hub does not answer. */
export const tagOfFiles = () =>
  fetch("/files.json", { method: "HEAD", cache: "no-store", signal: timeLimit(LONGEST_TRY) })
    .then(({ ok, headers }) => (ok ? headers.get("ETag") : null), () => null);
