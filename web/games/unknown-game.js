// @ts-check

/** @typedef {import("./game.js").AnyView} AnyView */

/**
 * Stands in for a game that this page has no folder for, because a newer hub may have more games than an older page. It
 * knows what every game has (ProtocolPlay.md): who plays, whose turn it is, and until when. This page offers no moves
 * in it.
 * @type {Omit<import("./game.js").Game<AnyView>, "targets" | "move" | "board" | "style">}
 */
export const unknownGame = {
  title: "",
  // The most seats of its rooms are unknown.
  seats: [1, 0],
  levels: [],
  buttons: [],

  start: ({ options, seats, first }) => ({ options, seats: seats.map(({ seat }) => seat), awaited: [first] }),
  fold: (view) => view,

  mayMove: () => false,
  whyNot: () => "game.unknown",
  turnText: () => "now.move",
  sentence: () => "",
};

/**
 * The part of such a game's view that this page can follow: the rest would not change with its events.
 * @param {AnyView} view
 * @returns {AnyView}
 */
export function knownPartOf({ options, seats, awaited, deadline }) {
  return { options, seats, awaited, ...(deadline !== undefined && { deadline }) };
}
