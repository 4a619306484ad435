// @ts-check
import { isComputer, seatedIn } from "./room.js";

/** @typedef {import("./room.js").RoomState} RoomState */

/**
 * The people who have come or sat down between two states of a room that waits for its first game, without computers
 * and the viewer.
 * @param {RoomState | null} before
 * @param {RoomState} after
 * @returns {{player: string, sits: boolean}[]}
 */
export function arrivalsIn(before, after) {
  if (!before || before.room.status !== "waiting" || after.room.status !== "waiting") return [];
  const sat = seatedIn(before.room), isOther = (/** @type {string} */ player) =>
    player !== after.you.player && !isComputer(player);
  const sitting = seatedIn(after.room).filter((player) => isOther(player) && !sat.includes(player));
  const come = after.presence.players.filter((player) =>
    isOther(player) && !before.presence.players.includes(player) && !seatedIn(after.room).includes(player));
  return [...sitting.map((player) => ({ player, sits: true })), ...come.map((player) => ({ player, sits: false }))];
}
