// @ts-check
import { isComputer } from "../games/room.js";

/** @param {any} state @param {string} player */
export function nameOf(state, player) {
  if (isComputer(player)) return `Computer ${Number(player.slice(4)) + 1}`;
  return state.names[player] ?? "someone";
}

/** The name of whoever sits, or sat when the game began, on `seat`; "You" for who looks at it. */
export function nameOfSeat(state, seat) {
  const player = state.room.players?.find((one) => one.seat === seat)?.player
    ?? state.room.seats.find((one) => one.seat === seat)?.player;
  return player === undefined ? "someone" : player === state.you.player ? "You" : nameOf(state, player);
}

/** With the form of "to be" that fits: "You are", "Ann is". @param {string} name */
export const is = (name) => (name === "You" ? "You are" : `${name} is`);
