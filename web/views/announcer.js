// @ts-check
import { games } from "../games/room.js";
import { about } from "../texts.js";
import { whoOfSeat } from "./names.js";

/** Most sentences that wait to be read out: a screen reader that is behind skips older ones. */
const LIMIT = 6;
/** Events that are read out whatever the game, unless it has words of its own. */
const SPOKEN = ["turn", "turn-expired", "away", "back", "player-left", "game-started", "game-ended"];

/** Says sentences, put into `root`, to who cannot see the page. @param {HTMLElement} root */
export function announcer(root) {
  return function say(/** @type {string} */ sentence) {
    if (!sentence) return;
    const said = document.createElement("p");
    said.textContent = sentence;
    root.append(said);
    if (root.children.length > LIMIT) root.firstElementChild?.remove();
  };
}

/** What a recorded event says about the board of `state`; empty where there is nothing to say. */
export function sentenceOf(state, event) {
  if (!state.view || typeof event.t !== "number") return "";
  const who = (seat) => whoOfSeat(state, seat);
  return games[state.room.game]?.sentence(event, who)
    || (SPOKEN.includes(event.type) ? about(`event.${event.type}`, who(event.seat)) : "");
}
