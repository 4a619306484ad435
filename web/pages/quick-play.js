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
 * @typedef {Record<string, string>} Choice a game and its options, by the names of fields
 */

/** Most rooms to try for a quick game before opening a new one. */
const TRIES = 5;
/** How long to wait for the hub, in ms, and how long if there seems to be no line. */
const PATIENCE = 10_000;
const SHORT_PATIENCE = 3_000;

/**
 * Calls `act` with the player on this page, and asks for a name first if necessary. Calls it a second time if this
 * browser's player changed in between.
 * @template Result
 * @param {(player: Player) => Promise<Result>} act
 * @param {import("./elements.js").Toast} toast
 * @returns {Promise<Result | null>} null if no name was given
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

/** What the player has chosen, or the defaults. */
const choiceOf = (/** @type {string} */ game) => chosenFor(game, keptChoice(game));

/** The chosen level of a computer for a game. */
export const levelChosen = (/** @type {string} */ game) => choiceOf(game).level;

// Each of these resolves to the address of a room, whose page does the rest. Throws the reason as an `Error` for
// people.

/** A room for people who get its link. */
export const playFriends = (/** @type {Player} */ player, /** @type {string} */ game) =>
  open(player, choiceOf(game), {}, "unlisted", TO_SIT);

/** A game alone, at once. */
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
 * A seat in the first suitable room, else in a new one for two.
 * @param {Player} player
 * @param {string} game
 * @param {{rooms?: Room[] | null, tried?: string[], opening?: () => void}} how `rooms`: the open ones, if known;
 *   `opening` is called if none of them is suitable
 */
export async function playQuick(player, game, { rooms: known, tried = [], opening = () => {} } = {}) {
  const kept = keptChoice(game);
  const rooms = (known ?? await inTime(askForRooms()).catch(() => []))
    .filter((room) => room.game === game && isChoiceMet(game, kept, room.options));
  const isTired = tried.length >= TRIES;
  const free = isTired ? undefined : rooms.find((room) => hasRoom(room) && !tried.includes(room.code));
  if (free) return roomAddress(free.code, toSitQuick(tried));
  // The page there waits for a seat, and for the end of the game.
  const next = rooms.find(passesTheTime);
  if (next) return roomAddress(next.code, TO_WAIT);
  opening();
  return open(player, choiceOf(game), QUICK, "seeking", toSitQuick());
}

/** Opens a room that the next quick game finds, and plays a computer there in the meantime. */
export const playMeanwhile = (/** @type {Player} */ player, /** @type {string} */ game) =>
  open(player, choiceOf(game), QUICK, "seeking", `${TO_WAIT}&${toPlayComputer(levelChosen(game)).slice(1)}`);

/** A quick game starts as soon as there is an opponent. */
const QUICK = { seats: 2 };

/**
 * @param {Player} player
 * @param {Choice} choice
 * @param {object} more options besides the chosen ones
 * @param {import("../net/messages.js").Visibility} visibility
 * @param {string} search what the room's page should do first
 */
async function open(player, choice, more, visibility, search) {
  const { game, options } = optionsOf(choice);
  const { code } = await inTime(openRoom(player, { game, options: { ...options, ...more }, visibility }));
  return roomAddress(code, search);
}

/** Whether a quick game may start there: someone is waiting, and no game has begun. */
export const hasRoom = (/** @type {Room} */ { visibility, status, present, seats }) =>
  visibility === "seeking" && status === "waiting" && present > 0 && seats.taken < seats.all;

/** Whether one player there passes the time against a computer, and may play someone else next. */
export const passesTheTime = (
  /** @type {Room} */ { visibility, status, present, seats, spectators },
) =>
  visibility === "seeking" && status === "running" && present === 1 && spectators === 0 && seats.computers > 0
    && seats.taken === seats.computers + 1;

/**
 * The hub's answer, or an error for people if it takes too long.
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
