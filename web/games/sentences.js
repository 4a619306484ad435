// @ts-check
import { about, text } from "../texts/texts.js";
import { games } from "./list.js";

/**
 * Names for whoever an event is about.
 * @typedef {Object} Who
 * @property {(seat: number) => {name: string, isYou: boolean}} seat who sits there, or sat when the game began
 * @property {(player: string) => {name: string, isYou: boolean}} player
 */

/**
 * What `event` says to a person: the words of the room's game where it has some, else those of any room.
 * @param {string} game
 * @param {any} event
 * @param {Who} who
 * @returns {string} empty where there is nothing to say
 */
export function sentence(game, event, who) {
  return games[game]?.sentence(event, who.seat) || roomSentence(event, who);
}

/** Ends that somebody has won. */
export const DECIDED = ["finished", "time", "resigned"];

/**
 * @param {any} event
 * @param {any} who
 */
const aboutPlayer = (event, who) => about(`event.${event.type}`, who.player(event.player));
/**
 * @param {any} event
 * @param {any} who
 */
const aboutSeat = (event, who) => about(`event.${event.type}`, who.seat(event.seat));
const plain = (/** @type {any} */ { type }) => text(`event.${type}`);
/**
 * For what can be put on a player and lifted again.
 * @param {any} event
 * @param {any} who
 */
const switched = (event, who) => about(`event.${event.type}.${event.on ? "on" : "off"}`, who.player(event.player));

/** @type {Record<string, (event: any, who: Who) => string>} */
const sentences = {
  "room-opened": (event, who) => about("event.room-opened", who.player(event.host)),
  "seat-taken": (event, who) => about("event.seat-taken", who.player(event.player), { seat: event.seat + 1 }),
  "seat-freed": (event, who) =>
    about("event.seat-freed", who.player(event.player), { seat: event.seat + 1 }),
  "seat-helped": aboutSeat, "seat-returned": aboutSeat,
  "host-changed": aboutPlayer, "player-muted": switched, "player-banned": switched,
  dealing: plain, ready: aboutSeat, "options-changed": plain,
  "game-started": plain, turn: aboutSeat, "turn-expired": aboutSeat, away: aboutSeat, back: aboutSeat,
  "player-left": aboutPlayer, "clock-extended": plain,
  "game-ended": (event, who) => ended(event, who), "room-closed": plain,
};

/**
 * What an event of any room says.
 * @param {any} event
 * @param {Who} who
 */
function roomSentence(event, who) { return sentences[event.type]?.(event, who) ?? ""; }

/** Who has won, where somebody has. */
function ended(/** @type {any} */ { results = [], reason }, /** @type {any} */ who) {
  if (reason === "fault") return text("reason.fault");
  const best = results.filter((/** @type {any} */ { place }) => place === 1);
  if (best.length !== 1 || results.length < 2 || !DECIDED.includes(reason)) return text("event.game-ended");
  return about("event.game-won", who.player(best[0].player));
}
