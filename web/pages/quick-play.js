// @ts-check
import { chosen, fittingLevel, optionsOf } from "../games/options.js";
import { RoomConnection } from "../net/connection.js";
import { socketURL } from "../net/network.js";
import { askForRooms } from "../net/open-rooms.js";
import { browser } from "../net/surroundings.js";
import { openRoom } from "../store/account.js";
import { identity, isKnownElsewhere, noteSignedOut } from "../store/identity.js";
import { Nonces } from "../store/nonces.js";
import { refusal, text } from "../texts/texts.js";
import { askName } from "./name-dialog.js";

/** @typedef {import("../net/messages.js").HubWelcome} HubWelcome */
/** @typedef {import("../net/messages.js").HubError} HubError */
/** @typedef {Record<string, string>} Choice of a game and what it is played with, by the names of fields */

/** Most rooms that are tried for a quick game before a new one is opened. */
const TRIES = 5;
/** So long a seat is waited for, in ms. */
const SEAT_TIMEOUT = 10_000;

/**
 * Does `act` with who plays here, and asks for a name before if need be. Once more where this browser is not
 * who it was any more.
 * @template Result
 * @param {(player: import("../store/identity.js").Player) => Promise<Result>} act
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

/**
 * A room for those who get its link, where all else is chosen; its code. Whoever comes there as its host sits down.
 * @param {import("../store/identity.js").Player} player
 * @param {string} game
 * @param {"public" | "unlisted"} visibility
 */
export const playFriends = async (player, game, visibility) =>
  (await openRoom(player, { ...optionsOf(chosen(game)), visibility })).code;

/**
 * A room for one, started at once; its code.
 * @param {import("../store/identity.js").Player} player
 * @param {Choice} choice
 */
export async function playAlone(player, choice) {
  const { game, options: asked } = optionsOf(choice), options = { ...asked, seats: 1 };
  const { code } = await openRoom(player, { game, options, visibility: "unlisted" });
  await sitDown(player, code, [["start"]]);
  return code;
}

/**
 * A room with a computer on the other seat, started at once; its code.
 * @param {import("../store/identity.js").Player} player
 * @param {Choice} choice
 */
export async function playComputer(player, choice) {
  const { game, options: asked } = optionsOf(choice), options = { ...asked, seats: 2 };
  const { code } = await openRoom(player, { game, options, visibility: "unlisted" });
  await sitDown(player, code, [["bot", { seat: 1, level: choice.level }], ["start"]]);
  return code;
}

/**
 * A seat in this room; its code.
 * @param {import("../store/identity.js").Player} player
 * @param {string} code
 */
export async function playIn(player, code) {
  await sitDown(player, code);
  return code;
}

/**
 * A seat in the first room that fits, else in a new one; the room's code.
 * @param {import("../store/identity.js").Player} player
 * @param {string} game
 */
export async function playQuick(player, game) {
  const rooms = (await askForRooms().catch(() => [])).filter((room) => room.game === game);
  for (const { code } of rooms.filter(hasRoom).slice(0, TRIES)) {
    try {
      return await playIn(player, code);
    } catch (error) {
      // Somebody was faster, or is not wanted there: the next one.
      if (identity()?.token !== player.token) throw error;
    }
  }
  // Its page waits there for a seat, and for the end of the game.
  const next = rooms.find(passesTheTime);
  if (next) return next.code;
  const { code } = await openRoom(player, { ...optionsOf(chosen(game)), visibility: "seeking" });
  return playIn(player, code);
}

/**
 * A room that the next quick game finds, where one plays against a computer meanwhile; its code.
 * @param {import("../store/identity.js").Player} player
 * @param {string} game
 */
export async function playMeanwhile(player, game) {
  const { code } = await openRoom(player, { ...optionsOf(chosen(game)), visibility: "seeking" });
  await sitDown(player, code, [["bot", { seat: 1, level: fittingLevel(game) }], ["start"]]);
  return code;
}

/** Whether a quick game may begin there: somebody is there, and has not begun. */
export const hasRoom = (/** @type {import("../net/lobby.js").Room} */ { visibility, status, present, seats }) =>
  visibility === "seeking" && status === "waiting" && present > 0 && seats.taken < seats.all;

/** Whether one plays there against a computer, with whom somebody else may play next. */
export const passesTheTime = (
  /** @type {import("../net/lobby.js").Room} */ { visibility, status, present, seats, spectators },
) =>
  visibility === "seeking" && status === "running" && present === 1 && spectators === 0 && seats.computers > 0
    && seats.taken === seats.computers + 1;

/**
 * Takes a seat over a line of its own, and says `commands` behind. Throws the reason as an `Error` for people.
 * @param {import("../store/identity.js").Player} player
 * @param {string} code
 * @param {[string, object?][]} commands
 */
async function sitDown(player, code, commands = []) {
  let greet = (/** @type {HubWelcome | HubError} */ _) => {};
  /** @type {Promise<HubWelcome | HubError>} */
  const greeted = new Promise((settle) => { greet = settle; });
  const receive = (/** @type {import("../games/room.js").HubMessage} */ message) => {
    const isUnknown = message.type === "error" && message.code === "unknown-token";
    if (message.type === "welcome" || isUnknown) greet(/** @type {HubWelcome | HubError} */ (message));
  };
  const url = socketURL(`/ws/rooms/${encodeURIComponent(code)}`);
  const line = new RoomConnection(url, player.token, { message: receive, state() {} }, browser);
  try {
    const welcome = await inTime(greeted);
    if (welcome.type === "error") {
      noteSignedOut(player.token);
      throw new Error(refusal(welcome, line.hubTime));
    }
    // Whoever sits down takes part in the draw, where something is drawn and the room's page can open the nonce later.
    const mayPromise = welcome.room.commitment && isKnownElsewhere();
    const seat = mayPromise ? { commitment: new Nonces(code).commitment() } : {};
    const asked = [line.command("sit", seat), ...commands.map(([type, fields]) => line.command(type, fields))];
    const refused = (await inTime(Promise.all(asked))).find(({ type }) => type === "error");
    if (refused) throw new Error(refusal(refused, line.hubTime));
  } finally {
    line.close();
  }
}

/**
 * @template Answer
 * @param {Promise<Answer>} answer
 * @returns {Promise<Answer>}
 */
function inTime(answer) {
  return new Promise((settle, fail) => {
    const timer = setTimeout(() => fail(new Error(text("line.no-hub"))), SEAT_TIMEOUT);
    answer.then(settle, fail).finally(() => clearTimeout(timer));
  });
}
