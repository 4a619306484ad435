// @ts-check
import { isHere, presentIn, seatedIn } from "../games/room.js";
import { about, has, isolated, listed, text } from "../texts/texts.js";
import { show, vary, write } from "./element-changes.js";
import { whoIs, whoOfSeat } from "./names.js";

/**
 * @typedef {import("../games/room.js").RoomState} RoomState
 * @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {NonNullable<RoomState["room"]["proposal"]>} Proposal
 * @typedef {{root: HTMLElement, words: HTMLElement, waits: HTMLElement, left: HTMLElement[], yes: HTMLElement,
 *   no: HTMLElement}} Parts `left`: all elements that show the remaining time
 */

/** How long the hub waits for answers, in ms: the full length of the time bar. */
const ANSWER_TIMEOUT = 30_000;

/**
 * The table's proposal, shown to everyone: people asked have buttons to answer, and the proposer can withdraw it.
 * @param {Parts} parts
 */
export function proposalBar({ root, words, waits, left, yes, no }) {
  return {
    draw(/** @type {RoomState} */ state, /** @type {boolean} */ isShown) {
      const { proposal } = state.room;
      show(root, isShown && proposal !== undefined);
      if (!proposal) return;
      const { mayAgree, mayRefuse, hasAgreed } = partIn(state, proposal);
      write(words, about(`event.proposed.${proposal.what}`, whoIs(state, proposal.player)));
      write(waits, waitingFor(state, proposal));
      write(no, text(hasAgreed ? "proposal.take-back" : "proposal.no"));
      show(yes, mayAgree);
      show(no, mayRefuse);
    },
    /** @param {number} hubTime */
    time(/** @type {RoomState | null} */ state, hubTime) {
      const { proposal } = state?.room ?? {};
      for (const one of proposal ? [] : left) write(one, "");
      if (!proposal) return;
      const rest = Math.min(ANSWER_TIMEOUT, Math.max(0, proposal.deadline - hubTime));
      for (const one of left) write(one, text("time.seconds", { count: Math.ceil(rest / 1_000) }));
      vary(root, "--left", (rest / ANSWER_TIMEOUT).toFixed(3));
    },
  };
}

/**
 * How this page's player can answer it.
 * @param {RoomState} state
 * @param {Proposal} proposal
 */
export function partIn({ you }, { what, asked, agreed }) {
  const seat = you.seat ?? -1, isAsked = asked.includes(seat), hasAgreed = agreed.includes(seat);
  // Anyone with a seat can join a rematch.
  const mayAgree = isAsked || (what === "rematch" && you.seat !== undefined && !hasAgreed);
  return { mayAgree, hasAgreed, mayRefuse: isAsked || hasAgreed };
}

/** Whose answer is missing, besides this page's player's. */
export function waitingFor(/** @type {RoomState} */ state, /** @type {Proposal} */ { asked }) {
  const others = asked.filter((seat) => seat !== state.you.seat);
  return others.length > 0 ? text("proposal.waits", { names: namesOf(state, others) }) : "";
}

/** @param {number[]} seats */
export const namesOf = (/** @type {RoomState} */ state, seats) =>
  listed(seats.map((seat) => isolated(whoOfSeat(state, seat).name)));

/**
 * The seats of absent players, if too few for a rematch are here: the hub deals in those who are here, and computers.
 * Empty for people who cannot ask for one.
 */
export function missing(/** @type {RoomState} */ state) {
  const { status, players, seats } = state.room, seated = seatedIn(state.room);
  if (status !== "ended" || state.you.seat === undefined) return [];
  const isEnough = presentIn(state).length >= Math.min(2, players?.length ?? 1, seated.length);
  const isAbsent = (/** @type {string | undefined} */ player) => player !== undefined && !isHere(state, player);
  return isEnough ? [] : seats.flatMap(({ seat, player }) => (isAbsent(player) ? [seat] : []));
}

/**
 * The outcome of the proposal, for everyone; empty if `event` does not end it.
 * @param {RecordedEvent} event
 * @param {RoomState} before
 * @param {string | undefined} refused who refused last
 */
export function outcome(event, before, refused) {
  const { proposal } = before.room;
  if (!proposal) return "";
  if (event.type === "game-ended" && event.reason === "restart") return text("proposal.dealt-again");
  if (event.type !== "proposal-ended") return "";
  const key = `proposal.${proposal.what}.${event.reason}`;
  const who = whoIs(before, event.reason === "withdrawn" ? proposal.player : refused);
  return about(has(key) ? key : "proposal.withdrawn", who);
}
