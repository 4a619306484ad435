// @ts-check
import { games } from "../games/room.js";
import { is, nameOfSeat } from "./names.js";

/** One line that says what is going on, to whoever looks at `state`. */
export function situation(state) {
  switch (state.room.status) {
    case "closed": return "This room is closed.";
    case "ended": return "The game is over.";
    case "dealing": return "The cards are being dealt…";
    case "running": return turn(state);
    default: return beforeStart(state);
  }
}

/** Whether this page's player plays in the running game. */
export function plays({ room, you }) {
  return room.status === "running" && you.seat !== undefined
    && room.players.some(({ seat, player }) => seat === you.seat && player === you.player);
}

/** Whether it is up to this page's player to move now. */
export function mayMove(state) {
  const { room, view, you } = state;
  return plays(state) && Boolean(view) && games[room.game].mayMove(view, you.seat);
}

/** Why nothing can be moved just now, for who tries all the same. */
export function whyNot(state) {
  const { room, view, you } = state;
  if (room.status !== "running") return "";
  if (!plays(state)) return "You are watching this game.";
  if (view.turn !== you.seat) return `It is ${nameOfSeat(state, view.turn)}'s turn.`;
  return games[room.game].whyNot(view, you.seat);
}

function beforeStart({ room, you }) {
  const count = room.seats.filter(({ player }) => player).length;
  if (count === 0) return "Take a seat to play";
  if (you.isHost && you.seat === undefined) return "Take a seat, or let the others play";
  if (you.isHost && count < games[room.game].fewest) return "Wait for others, or add a computer";
  if (you.isHost) return count === 1 ? "Start alone, or wait for others" : "Everyone here? Start!";
  return you.seat === undefined && count < room.seats.length ? "Take a seat to play" : "Waiting for the host to start";
}

function turn(state) {
  const { room, view, you } = state;
  const name = nameOfSeat(state, view.turn);
  if (view.away?.includes(view.turn)) return `${is(name)} away`;
  const text = games[room.game].turnText(view);
  return view.turn === you.seat && plays(state) ? text.mine : text.others(name);
}
