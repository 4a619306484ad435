// @ts-check
import { browser } from "./connection.js";
import { Lobby } from "./lobby.js";
import { followNetwork, socketURL } from "./network.js";

/**
 * The open rooms, asked for once.
 * @returns {Promise<import("./lobby.js").Room[]>}
 */
export async function askForRooms() {
  const answer = await fetch("/api/rooms");
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).rooms;
}

/**
 * The open rooms, live from now on; `leave` of what it returns ends that.
 * @param {(rooms: import("./lobby.js").Room[]) => void} draw
 */
export function watchRooms(draw) {
  const lobby = new Lobby(socketURL("/ws/lobby"), draw, { ...browser, ask: askForRooms });
  const unfollow = followNetwork(lobby);
  return {
    get rooms() { return lobby.rooms; },
    leave() {
      unfollow();
      lobby.close();
    },
  };
}
