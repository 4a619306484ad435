// @ts-check
import { is, nameOfSeat } from "./names.js";

/** One line that says what is going on, to whoever looks at `state`. */
export function situation(state) {
  switch (state.room.status) {
    case "closed": return "This room is closed.";
    case "ended": return "The game is over.";
    case "running": return turn(state);
    default: return beforeStart(state);
  }
}

/** Whether it is up to this page's player to turn a card now. */
export function mayFlip({ room, view, you }) {
  return room.status === "running" && you.seat !== undefined && view?.turn === you.seat && view.up.length < 2
    && room.players.some(({ seat, player }) => seat === you.seat && player === you.player);
}

/** Why a card cannot be turned just now, for who tries all the same. */
export function whyNot(state) {
  const { room, view, you } = state;
  if (room.status !== "running") return "";
  if (!room.players.some(({ player }) => player === you.player)) return "You are watching this game.";
  if (view.turn !== you.seat) return `It is ${nameOfSeat(state, view.turn)}'s turn.`;
  return "Wait for the cards to turn.";
}

function beforeStart({ room, you }) {
  const count = room.seats.filter(({ player }) => player).length;
  if (count === 0) return "Take a seat to play";
  if (you.isHost && you.seat === undefined) return "Take a seat, or let the others play";
  if (you.isHost) return count === 1 ? "Start alone, or wait for others" : "Everyone here? Start!";
  return you.seat === undefined && count < room.seats.length ? "Take a seat to play" : "Waiting for the host to start";
}

function turn(state) {
  const { view, you } = state;
  const name = nameOfSeat(state, view.turn);
  const isMine = view.turn === you.seat && name === "You";
  if (view.up.length === 2) return "No pair…";
  if (view.away.includes(view.turn)) return `${is(name)} away`;
  if (isMine) return view.up.length === 1 ? "Find the twin" : "Your turn";
  return view.up.length === 1 ? `${name} looks for the twin` : `${name}'s turn`;
}
