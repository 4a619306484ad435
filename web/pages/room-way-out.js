// @ts-check
import { isComputer, stillIn } from "../games/room.js";
import { isolated, listed, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { nameOf } from "../views/names.js";
import { plays } from "../views/status-line.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Asks for confirmation before a player leaves a running game with others by a link in the bar or by going back. A game
 * alone or against computers simply waits.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Back} back
 * @returns draws for a state
 */
export function askOnTheWayOut(room, back) {
  const others = () => (room.state ? fellows(room.state) : []);
  const mayGo = (/** @type {string[]} */ names) => {
    const question = text("going.question", { names: listed(names) });
    const answers = { yes: text("going.leave"), no: text("going.stay") };
    return confirmed(element("ask-dialog"), question, answers, text("going.seat"));
  };
  back.ask(() => {
    const names = others();
    return names.length > 0 ? () => mayGo(names) : null;
  });
  document.querySelector(".bar")?.addEventListener("click", async (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
    const link = target instanceof Element ? target.closest("a") : null;
    const names = link ? others() : [];
    // A link that opens elsewhere leaves no one.
    if (!link || names.length === 0 || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    if (await mayGo(names)) location.assign(link.href);
  });
  return (/** @type {RoomState} */ { you }) => {
    const brand = /** @type {HTMLElement} */ (document.querySelector(".brand"));
    const words = you.seat === undefined ? "" : text("going.home");
    if (brand.title !== words) brand.title = words;
    back.look();
  };
}

/** The people that this page's player plays with. */
function fellows(/** @type {RoomState} */ state) {
  if (!plays(state)) return [];
  const { room: { players = [] }, view, you } = state;
  return players
    .filter(({ player }) => player !== you.player && !isComputer(player))
    .filter(({ seat }) => !view || stillIn(view).includes(seat))
    .map(({ player }) => isolated(nameOf(state, player)));
}
