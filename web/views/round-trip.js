// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "./element-changes.js";

/** From here on a round trip is felt in a game, in ms; a shorter one is nobody's concern. */
const BAD = 250;

/**
 * How long the line takes to the hub and back, in `root`, where it is bad.
 * @param {HTMLElement} root
 * @param {number | null} trip in ms; null while it is not known
 */
export function drawRoundTrip(root, trip) {
  const isBad = trip !== null && trip >= BAD;
  show(root, isBad);
  if (isBad) write(root, text("room.trip", { count: Math.round(trip) }));
}
