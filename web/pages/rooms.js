// @ts-check
import { browser } from "../connection.js";
import { Lobby } from "../lobby.js";
import { socketURL } from "./elements.js";

/** The open rooms, asked for once. @returns {Promise<import("../lobby.js").Room[]>} */
export async function askForRooms() {
  const answer = await fetch("/api/rooms");
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).rooms;
}

/**
 * The open rooms, live from now on; `leave` of what it returns ends that.
 * @param {(rooms: import("../lobby.js").Room[]) => void} draw
 */
export function watchRooms(draw) {
  const lobby = new Lobby(socketURL("/ws/lobby"), draw, { ...browser, ask: askForRooms });
  const check = () => { if (!document.hidden) lobby.check(); };
  const moments = ["pageshow", "online", "focus"];
  for (const name of moments) addEventListener(name, check);
  document.addEventListener("visibilitychange", check);
  return {
    get rooms() { return lobby.rooms; },
    leave() {
      for (const name of moments) removeEventListener(name, check);
      document.removeEventListener("visibilitychange", check);
      lobby.close();
    },
  };
}
