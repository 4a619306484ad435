// @ts-check
import { chipsOf, remarkOn } from "../games/options.js";
import { presentIn } from "../games/room.js";
import { choiceChips } from "../views/choice-chips.js";
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { element } from "./elements.js";
import { copyLink, drawLink, roomLink, sendLink } from "./room-link.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * The table of a room before its first game: how others can join, and the game's options, which the host changes by
 * `change`, called with the names of fields.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Toast} toast
 * @param {(names: string[]) => void} change
 */
export function waitingRoom(room, toast, change) {
  const root = element("waiting"), said = element("link-said");
  const drawChips = choiceChips(element("facts"), change);
  const link = roomLink();
  drawLink(element("link"), link);
  write(element("room-code"), inGroups(room.code));
  element("room-code").classList.toggle("long", room.code.length > 8);
  show(element("send-link"), Boolean(navigator.share));
  element("copy-link").addEventListener("click", () => copyLink(link, root, said, toast));
  element("send-link").addEventListener("click", () => sendLink(link, root, said, toast));
  return {
    /**
     * @param {RoomState} state
     * @param {boolean} isInvited an invited viewer decides that first
     */
    draw(state, isInvited) {
      const { room: { game, options, seats, status, visibility }, you } = state;
      show(root, status === "waiting" && !isInvited);
      if (status !== "waiting") return;
      const isAlone = presentIn(state).length < 2 && seats.length > 1;
      element("copy-link").classList.toggle("primary", you.isHost && you.seat !== undefined && isAlone);
      const found = { names: ["visibility"], label: text("visibility.label"), value: text(`visibility.${visibility}`) };
      drawChips([...chipsOf(game, { seats: seats.length, ...options }), found], you.isHost);
      write(element("remark"), remarkOn(game, options));
    },
  };
}

/** Hyphens make a long code easier to read; a code copied with them still works. */
const inGroups = (/** @type {string} */ code) => (code.length > 8 ? code.replace(/.{4}(?=.)/g, "$&-") : code);
