// @ts-check
import { gameOf } from "../games/list.js";
import { stillIn } from "../games/room.js";
import { DECIDED, sentence } from "../games/sentences.js";
import { text } from "../texts/texts.js";
import { whoIs, whoOfSeat } from "./names.js";
import { pointsOf } from "./players.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Most sentences waiting to be read aloud: a screen reader that lags behind skips older ones. */
const LIMIT = 6;
/** How long a sentence stays, in ms, so that no one can look up there what a card showed. */
const STAY = 5_000;
/** Events of any room that are read aloud; of the game's own, all that it has words for. */
const SPOKEN = ["turn", "turns", "turn-expired", "away", "back", "player-left", "game-started", "game-ended",
  "proposed", "answered"];

/**
 * Reads sentences aloud for people who cannot see the page, by putting them into `root`.
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

/**
 * What a recorded event says about the board of `state`, with the scores if it has changed them; empty if it needs no
 * words.
 * @param {RoomState} state
 * @param {import("../games/room.js").HubMessage} event
 * @param {RoomState | null} before the state that the event arrived in
 */
export function sentenceOf(state, event, before) {
  if (!state.view || !("v" in event && "t" in event)) return "";
  // A player alone has every turn.
  if ((event.type === "turn" || event.type === "turns") && isAlone(state)) return "";
  const { isSpoken } = gameOf(state.room.game);
  if (isSpoken && before?.view && !isSpoken(event, before.view, state.you.seat)) return "";
  const standing = event.type === "game-ended" ? places(state, event) : standings(state, before);
  return [eventSentence(state, event, before?.view), standing].filter(Boolean).join(" ");
}

/**
 * @param {RoomState} state
 * @param {import("../games/room.js").RecordedEvent} event
 * @param {RoomState["view"]} [before]
 */
function eventSentence(state, event, before) {
  const seat = (/** @type {number} */ number) => whoOfSeat(state, number);
  // A no that ends the proposal is announced with its end.
  if (event.type === "answered" && !event.agrees && state.room.proposal?.what === "restart") return "";
  if (!SPOKEN.includes(event.type)) return gameOf(state.room.game).sentence(event, seat, state.view, before);
  const player = (/** @type {string} */ id) => whoIs(state, id);
  return sentence(state.room.game, event, { seat, player }, state.view);
}

const isAlone = (/** @type {RoomState} */ { view }) =>
  view !== null && stillIn(view).length < 2;

const pointsText = (/** @type {number} */ count) => text("leaderboard.score", { count });

const called = (/** @type {{name: string, isYou: boolean}} */ { name, isYou }) => (isYou ? text("you") : name);

/** What each has, and what is left to win, if any score differs from `before`. */
function standings(/** @type {RoomState} */ state, /** @type {RoomState | null} */ before) {
  const { view, room } = state, game = gameOf(room.game);
  if (!view || !before?.view || room.gameNumber !== before.room.gameNumber) return "";
  const scores = view.seats.map((seat) => pointsOf(state, seat));
  if (scores.every((score, index) => score === pointsOf(before, view.seats[index]))) return "";
  const said = view.seats.flatMap((seat, index) => {
    const score = scores[index], name = called(whoOfSeat(state, seat));
    return score === undefined ? [] : [text("standing.score", { name, points: pointsText(score) })];
  });
  return [said.join(text("standing.and")), game.remaining?.(view) ?? ""].filter(Boolean).map(ended).join(" ");
}

/**
 * The places of several players at the end.
 * @param {RoomState} state
 * @param {import("../net/messages.js").EventGameEnded} end
 */
function places(state, { results, reason }) {
  const counts = (/** @type {number} */ seat) => pointsOf(state, seat) !== undefined;
  if (results.length < 2) {
    return results.filter(({ seat }) => counts(seat)).map(({ score }) => ended(pointsText(score))).join("");
  }
  if (!DECIDED.includes(reason)) return "";
  const best = [...results].sort((one, other) => one.place - other.place || other.score - one.score);
  return best.map(({ place, seat, player, score }) => {
    const words = text("standing.place", { place, name: called(whoIs(state, player)) });
    return ended(counts(seat) ? [words, pointsText(score)].join(text("standing.and")) : words);
  }).join(" ");
}

const ended = (/** @type {string} */ words) => text("standing.sentence", { words });
