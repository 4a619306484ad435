// @ts-check
import { adopt, identity, isKnownElsewhere, SEAT } from "../identity.js";
import { text } from "../texts.js";
import { ask } from "../views/ask.js";
import { element } from "./elements.js";

/** A token: 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The room's address, without whatever stands behind it. */
export const roomLink = () => location.origin + location.pathname;

/** The token that this page's address brought, if it did: taken out of the address, so that no history keeps it. */
export function tokenInAddress() {
  // A link that brings a seat, opened where the room is open already, or about to be.
  addEventListener("hashchange", () => { if (location.hash.startsWith(SEAT)) location.reload(); });
  if (!location.hash.startsWith(SEAT)) return null;
  const token = location.hash.slice(SEAT.length);
  history.replaceState(history.state, "", location.pathname);
  return TOKEN.test(token) ? token : null;
}

/**
 * Whether to play here by the token that came along: asks, where this browser is somebody else.
 * @param {string | null} token
 */
export async function mayBring(token) {
  const own = identity();
  if (!token || !own || own.token === token) return Boolean(token);
  return ask(element("ask-dialog"), text("share.replace", { name: own.name }), text("share.replace-it"));
}

/** The hub knows the token that came along: this browser is that player from now on. */
export function bring(token, { player, name }, toast) {
  if (identity()?.token === token) return;
  adopt({ id: player, name, token });
  // Where the browser keeps nothing it was most likely this browser's own page.
  if (isKnownElsewhere()) toast(text("share.brought", { name }));
}

/** An address that breaks at its slashes only. @param {HTMLElement} root @param {string} link */
export function drawLink(root, link) {
  const parts = link.match(/[^/.]+[/.]*|[/.]+/g) ?? [];
  root.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}
