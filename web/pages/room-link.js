// @ts-check
import { adopt, forget, identity, isKnownElsewhere, SEAT } from "../store/identity.js";
import { refusal, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
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
  return confirmed(element("ask-dialog"), text("share.replace", { name: own.name }), text("share.replace-it"));
}

/**
 * Whoever came here by a token in the address: known by it from now on, once the hub knows it.
 * @param {string | null} token
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
export function broughtPlayer(token, room, shell) {
  return {
    /** @param {{player?: string, name?: string}} you as a `welcome` says it */
    welcome({ player, name }) {
      if (!token || !player) return;
      if (identity()?.token !== token) {
        adopt({ id: player, name: name ?? "", token });
        // Where the browser keeps nothing it was most likely this browser's own page.
        if (isKnownElsewhere()) shell.toast(text("share.brought", { name }));
      }
      token = null;
    },
    /**
     * The hub does not know the token that this page said hello with.
     * @param {any} error
     */
    unknown(error) {
      if (token) {
        // Of no use: this browser stays who it was.
        token = null;
        room.greet(identity()?.token ?? null);
        return shell.toast(text("share.unknown"), "bad");
      }
      // The hub has forgotten this player: the page watches until a name is given again.
      forget();
      room.greet(null);
      shell.toast(refusal(error), "bad");
    },
  };
}

/**
 * An address that breaks at its slashes only.
 * @param {HTMLElement} root
 * @param {string} link
 */
export function drawLink(root, link) {
  const parts = link.match(/[^/.]+[/.]*|[/.]+/g) ?? [];
  root.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}
