// @ts-check

/**
 * @typedef {import("./room.js").Room} Room
 * @typedef {import("./room.js").RecordedEvent} RecordedEvent
 * @typedef {NonNullable<Room["proposal"]>} Proposal
 */

/**
 * A room after `event`, with the proposal that the table then has.
 * @param {Room} room after the event, except for the proposal
 * @param {Room} before
 * @param {RecordedEvent} event
 * @param {number[]} [away] the seats that the game has marked away, after the event
 * @returns {Room}
 */
export function withProposal({ proposal: earlier, ...room }, before, event, away) {
  switch (event.type) {
    case "proposed": {
      const { type, t, more, ...proposal } = event;
      return { ...room, proposal: { ...proposal, agreed: [event.seat] } };
    }
    case "proposal-ended": case "dealing": case "game-started": case "game-ended": case "room-closed": return room;
  }
  if (!before.proposal) return room;
  const proposal = changed(before, before.proposal, event);
  return { ...room, proposal: proposal.what === "restart" ? notAsking(proposal, away) : proposal };
}

/**
 * @param {Room} room before the event
 * @param {Proposal} proposal
 * @param {RecordedEvent} event
 * @returns {Proposal}
 */
function changed({ seats }, proposal, event) {
  switch (event.type) {
    case "answered": return said(proposal, event.seat, event.agrees);
    case "seat-freed": case "player-left": return said(proposal, event.seat, false);
    case "seat-helped": return notAsking(proposal, [event.seat]);
    case "seat-taken": {
      // Sitting down asks for a next game. Computers always want one, and are in no list.
      const isArrival = proposal.what === "rematch" && !event.bot && seats[event.seat]?.player === undefined;
      if (!isArrival) return proposal;
      const after = said(proposal, event.seat, true);
      return event.player === proposal.player ? { ...after, seat: event.seat } : after;
    }
    case "clock-extended": return { ...proposal, deadline: proposal.deadline + event.ms };
    default: return proposal;
  }
}

const notAsking = (/** @type {Proposal} */ { asked, ...proposal }, /** @type {number[]} */ seats = []) =>
  ({ ...proposal, asked: asked.filter((seat) => !seats.includes(seat)) });

/**
 * @param {Proposal} proposal
 * @param {number} seat
 * @param {boolean} agrees
 */
function said(proposal, seat, agrees) {
  const agreed = proposal.agreed.filter((other) => other !== seat).concat(agrees ? [seat] : []);
  return { ...notAsking(proposal, [seat]), agreed: agreed.sort((one, other) => one - other) };
}
