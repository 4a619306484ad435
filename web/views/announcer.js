// @ts-check
import { gameOf } from "../games/list.js";
import { sentence } from "../games/sentences.js";
import { whoIs, whoOfSeat } from "./names.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Most sentences that wait to be read out: a screen reader that is behind skips older ones. */
const LIMIT = 6;
/** So long a sentence stays, in ms: nobody looks up there what a card showed. */
const STAY = 5_000;
/** Events of any room that are read out; of the game's own all are that it has words for. */
const SPOKEN = ["turn", "turn-expired", "away", "back", "player-left", "game-started", "game-ended",
  "proposed", "answered"];

/**
 * Says sentences, put into `root`, to who cannot see the page.
 * @param {HTMLElement} root
 */
export function announcer(root) {
  return function say(/** @type {string} */ sentence) {
    if (!sentence) return;
    const said = document.createElement("p");
    said.textContent = sentence;
    root.append(said);
    setTimeout(() => said.remove(), STAY);
    if (root.children.length > LIMIT) root.firstElementChild?.remove();
  };
}

/** What a recorded event says about the board of `state`; empty where there is nothing to say. */
export function sentenceOf(/** @type {RoomState} */ state, /** @type {import("../games/room.js").HubMessage} */ event) {
  if (!state.view || !("v" in event && "t" in event)) return "";
  const seat = (/** @type {number} */ number) => whoOfSeat(state, number);
  // A no that ends it all is told with the end.
  if (event.type === "answered" && !event.agrees && state.room.proposal?.what === "restart") return "";
  if (!SPOKEN.includes(event.type)) return gameOf(state.room.game).sentence(event, seat);
  const player = (/** @type {string} */ id) => whoIs(state, id);
  return sentence(state.room.game, event, { seat, player });
}
