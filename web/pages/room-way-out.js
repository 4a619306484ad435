// @ts-check
import { isComputer } from "../games/room.js";
import { isolated, listed, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { nameOf } from "../views/names.js";
import { plays } from "../views/status-line.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Asks who follows a link of the bar out of a running game with others whether that is meant. Alone, or against
 * computers, the game waits.
 * @param {import("./room-session.js").RoomSession} room
 */
export function askOnTheWayOut(room) {
  document.querySelector(".bar")?.addEventListener("click", async (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
    const link = target instanceof Element ? target.closest("a") : null;
    const names = link && room.state ? fellows(room.state) : [];
    // What opens elsewhere leaves nobody.
    if (!link || names.length === 0 || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    const question = text("going.question", { names: listed(names) });
    const answers = { yes: text("going.leave"), no: text("leave.stay") };
    if (await confirmed(element("ask-dialog"), question, answers, text("going.seat"))) location.assign(link.href);
  });
}

/** The people with whom this page's player plays. */
function fellows(/** @type {RoomState} */ state) {
  if (!plays(state)) return [];
  const { room: { players = [] }, view, you } = state;
  return players.filter(({ seat, player }) => player !== you.player && !isComputer(player) && !view?.left?.includes(seat))
    .map(({ player }) => isolated(nameOf(state, player)));
}
