// @ts-check
import { about, has, isolated, listed, text } from "../texts/texts.js";
import { gameOf } from "./list.js";

/**
 * @typedef {import("./room.js").RecordedEvent} RecordedEvent
 * @typedef {{host?: string, seat?: number, player?: string, on?: boolean, agrees?: boolean, what?: string}} Fields that
 *   an event may have
 *
 * Names for the player that an event is about.
 * @typedef {Object} Who
 * @property {(seat: number) => {name: string, isYou: boolean}} seat who sits there, or did when the game began
 * @property {(player: string) => {name: string, isYou: boolean}} player
 */

/**
 * Describes `event` in the words of the room's game if it has some, else in those of any room.
 * @param {string} game
 * @param {RecordedEvent} event
 * @param {Who} who
 * @param {import("./game.js").AnyView | null} [view] the one after it
 * @returns {string} empty if it needs no words
 */
export function sentence(game, event, who, view) {
  return gameOf(game).sentence(event, who.seat, view) || roomSentence(event, who);
}

/** Ends with a winner. */
export const DECIDED = ["finished", "time", "resigned"];

/**
 * Describes an event of any room. It names the event's player, else the player in its seat, if it has either; and says
 * which way it went if there are several.
 * @param {RecordedEvent} event
 * @param {Who} who
 */
function roomSentence(event, who) {
  if (event.type === "game-ended") return ended(event, who);
  if (event.type === "turns") {
    const all = event.seats.map(who.seat), names = all.map(({ name, isYou }) => (isYou ? text("you") : isolated(name)));
    return all.length === 1 ? about("event.turn", all[0]) : text("event.turns", { names: listed(names) });
  }
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
 * The winner, if there is one.
 * @param {import("../net/messages.js").EventGameEnded} event
 * @param {Who} who
 */
function ended({ results = [], reason }, who) {
  if (reason === "fault") return text("reason.fault");
  const best = results.filter(({ place }) => place === 1);
  if (best.length !== 1 || results.length < 2 || !DECIDED.includes(reason)) return text("event.game-ended");
  return about("event.game-won", who.player(best[0].player));
}
