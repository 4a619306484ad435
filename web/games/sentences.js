// @ts-check
import { about, has, text } from "../texts/texts.js";
import { gameOf } from "./list.js";

/**
 * @typedef {import("./room.js").RecordedEvent} RecordedEvent
 * @typedef {{host?: string, seat?: number, player?: string, on?: boolean, agrees?: boolean, what?: string}} Fields that
 *   an event may have
 *
 * Names for the player an event is about.
 * @typedef {Object} Who
 * @property {(seat: number) => {name: string, isYou: boolean}} seat who sits there, or sat when the game began
 * @property {(player: string) => {name: string, isYou: boolean}} player
 */

/**
 * What `event` says to a person: the words of the room's game where it has some, else those of any room.
 * @param {string} game
 * @param {RecordedEvent} event
 * @param {Who} who
 * @returns {string} empty where there is nothing to say
 */
export function sentence(game, event, who) {
  return gameOf(game).sentence(event, who.seat) || roomSentence(event, who);
}

/** Ends that somebody has won. */
export const DECIDED = ["finished", "time", "resigned"];

/**
 * What an event of any room says: of its player, else of who has its seat, where it has either; and which way, where
 * there are several.
 * @param {RecordedEvent} event
 * @param {Who} who
 */
function roomSentence(event, who) {
  if (event.type === "game-ended") return ended(event, who);
  const { host, seat, player = host, on, agrees = on, what } = /** @type {Fields} */ (event);
  const side = agrees === undefined ? "" : agrees ? "on" : "off";
  const way = event.type === "proposal-ended" ? event.reason : what ?? side;
  const key = `event.${event.type}` + (way && `.${way}`);
  if (!has(key)) return "";
  const values = seat === undefined ? {} : { seat: seat + 1 };
  if (player !== undefined) return about(key, who.player(player), values);
  return seat === undefined ? text(key) : about(key, who.seat(seat), values);
}

/**
 * Who has won, where somebody has.
 * @param {import("../net/messages.js").EventGameEnded} event
 * @param {Who} who
 */
function ended({ results = [], reason }, who) {
  if (reason === "fault") return text("reason.fault");
  const best = results.filter(({ place }) => place === 1);
  if (best.length !== 1 || results.length < 2 || !DECIDED.includes(reason)) return text("event.game-ended");
  return about("event.game-won", who.player(best[0].player));
}
