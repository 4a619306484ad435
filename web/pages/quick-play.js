// @ts-check
import { chosenFor, isChoiceMet, optionsOf } from "../games/options.js";
import { askForRooms } from "../net/open-rooms.js";
import { openRoom } from "../store/account.js";
import { keptChoice } from "../store/choices.js";
import { identity, roomAddress } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { TO_SIT, TO_START, TO_WAIT, toPlayComputer, toSitQuick } from "./errand.js";
import { askName } from "./name-dialog.js";

/**
 * @typedef {import("../net/lobby.js").Room} Room
 * @typedef {import("../store/identity.js").Player} Player
 * @typedef {Record<string, string>} Choice of a game and what it is played with, by the names of fields
 */

/** Most rooms that are tried for a quick game before a new one is opened. */
const TRIES = 5;
/** So long the hub is waited for, in ms; and where there seems to be no line. */
const PATIENCE = 10_000;
const SHORT_PATIENCE = 3_000;

/**
 * Does `act` with who plays here, and asks for a name before if need be. Once more where this browser is not
 * who it was any more.
 * @template Result
 * @param {(player: Player) => Promise<Result>} act
 * @param {import("./elements.js").Toast} toast
 * @returns {Promise<Result | null>} null where nobody wanted a name
 */
export async function asSomebody(act, toast) {
  for (let attempt = 1; ; attempt++) {
    const player = await askName(toast);
    if (!player) return null;
    try {
      return await act(player);
    } catch (error) {
      if (identity()?.token === player.token || attempt > 1) throw error;
    }
  }
}

/** What is played where nobody has chosen anything here, or what they have chosen. */
const choiceOf = (/** @type {string} */ game) => chosenFor(game, keptChoice(game));

/** The level of a computer that is chosen here for a game. */
export const levelChosen = (/** @type {string} */ game) => choiceOf(game).level;

// Each of these gives the address of a room whose page does the rest. Throws the reason as an `Error` for people.

/** A room for those who get its link. */
export const playFriends = (/** @type {Player} */ player, /** @type {string} */ game) =>
  open(player, choiceOf(game), {}, "unlisted", TO_SIT);

/** A game for one, at once. */
export const playAlone = (/** @type {Player} */ player, /** @type {string} */ game) =>
  open(player, choiceOf(game), { seats: 1 }, "unlisted", TO_START);

/** A game against a computer, at once. */
export function playComputer(/** @type {Player} */ player, /** @type {string} */ game) {
  const choice = choiceOf(game);
  return open(player, choice, { seats: 2 }, "unlisted", toPlayComputer(choice.level));
}

/** A seat in this room. */
export const playIn = (/** @type {string} */ code) => roomAddress(code, TO_SIT);

/**
 * A seat in the first room that fits, else in a new one for two.
 * @param {Player} player
 * @param {string} game
 * @param {{rooms?: Room[] | null, tried?: string[], opening?: () => void}} how `rooms`: those that are open, where they
 *   are known; `opening` is called where none of them fits
 */
export async function playQuick(player, game, { rooms: known, tried = [], opening = () => {} } = {}) {
  const kept = keptChoice(game);
  const rooms = (known ?? await inTime(askForRooms()).catch(() => []))
    .filter((room) => room.game === game && isChoiceMet(game, kept, room.options));
  const isTired = tried.length >= TRIES;
  const free = isTired ? undefined : rooms.find((room) => hasRoom(room) && !tried.includes(room.code));
  if (free) return roomAddress(free.code, toSitQuick(tried));
  // Its page waits there for a seat, and for the end of the game.
  const next = rooms.find(passesTheTime);
  if (next) return roomAddress(next.code, TO_WAIT);
  opening();
  return open(player, choiceOf(game), QUICK, "seeking", toSitQuick());
}

/** Opens a room that the next quick game finds, and plays a computer there until then. */
export const playMeanwhile = (/** @type {Player} */ player, /** @type {string} */ game) =>
  open(player, choiceOf(game), QUICK, "seeking", `${TO_WAIT}&${toPlayComputer(levelChosen(game)).slice(1)}`);

/** Who looks for an opponent has the game begin as soon as there is one. */
const QUICK = { seats: 2 };

/**
 * @param {Player} player
 * @param {Choice} choice
 * @param {object} more options beside the chosen ones
 * @param {import("../net/messages.js").Visibility} visibility
 * @param {string} search what the room's page is to do first
 */
async function open(player, choice, more, visibility, search) {
  const { game, options } = optionsOf(choice);
  const { code } = await inTime(openRoom(player, { game, options: { ...options, ...more }, visibility }));
  return roomAddress(code, search);
}

/** Whether a quick game may begin there: somebody is there, and has not begun. */
export const hasRoom = (/** @type {Room} */ { visibility, status, present, seats }) =>
  visibility === "seeking" && status === "waiting" && present > 0 && seats.taken < seats.all;

/** Whether one plays there against a computer, with whom somebody else may play next. */
export const passesTheTime = (
  /** @type {Room} */ { visibility, status, present, seats, spectators },
) =>
  visibility === "seeking" && status === "running" && present === 1 && spectators === 0 && seats.computers > 0
    && seats.taken === seats.computers + 1;

/**
 * What the hub answers, or an error for people where it does not in good time.
 * @template Answer
 * @param {Promise<Answer>} answer
 * @returns {Promise<Answer>}
 */
function inTime(answer) {
  return new Promise((settle, fail) => {
    const patience = navigator.onLine ? PATIENCE : SHORT_PATIENCE;
    const timer = setTimeout(() => fail(new Error(text("line.no-hub"))), patience);
    answer.then(settle, fail).finally(() => clearTimeout(timer));
  });
}
