// @ts-check
import { fieldsOf, problemOf } from "./hub-answer.js";
import { browser } from "./surroundings.js";
import { Lobby } from "./lobby.js";
import { followNetwork, socketURL } from "./network.js";

/**
 * The open rooms, fetched once.
 * @returns {Promise<import("./lobby.js").Room[]>}
 */
export async function askForRooms() {
  const answer = await fetch("/api/rooms"), fields = await fieldsOf(answer);
  if (!fields) throw new Error(String(answer.status));
  return fields.rooms;
}

/**
 * A room as the hub describes it. Throws an `Error`, with the `code` of the hub's problem if the hub answered.
 * @param {string} code
 */
export async function roomOf(code) {
  const answer = await fetch(`/api/rooms/${encodeURIComponent(code)}`), room = await fieldsOf(answer);
  if (room) return room;
  throw Object.assign(new Error(String(answer.status)), { code: (await problemOf(answer))?.code });
}

/**
 * The first of `codes` that belongs to a room. Throws if the hub does not answer.
 * @param {string[]} codes
 * @returns {Promise<string | null>}
 */
export async function roomAmong(codes) {
  for (const code of codes) {
    try {
      await roomOf(code);
      return code;
    } catch (problem) { if (problem.code !== "no-such-room") throw problem; }
  }
  return null;
}

/**
 * The open rooms, live from now on. Call `leave` of the result to stop.
 * @param {(rooms: import("./lobby.js").Room[]) => void} draw
 */
export function watchRooms(draw) {
  const lobby = new Lobby(socketURL("/ws/lobby"), draw, { ...browser, ask: askForRooms });
  const unfollow = followNetwork(lobby);
  return {
    get rooms() { return lobby.rooms; },
    get isLive() { return lobby.isLive; },
    get isLost() { return lobby.isLost; },
    leave() {
      unfollow();
      lobby.close();
    },
  };
}
