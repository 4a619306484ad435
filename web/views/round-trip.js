// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "./element-changes.js";

/** From this on, a round trip is noticeable in a game, in ms; shorter ones are not shown. */
const BAD = 250;

/**
 * The round trip to the hub, in `root`, if it is slow.
 * @param {HTMLElement} root
 * @param {number | null} trip in ms; null while unknown
 */
export function drawRoundTrip(root, trip) {
  const isBad = trip !== null && trip >= BAD;
  show(root, isBad);
  if (isBad) write(root, text("room.trip", { count: Math.round(trip) }));
}
