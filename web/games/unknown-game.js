// @ts-check

/** @typedef {import("./game.js").AnyView} AnyView */

/**
 * Stands in for a game that this page has no folder for: a newer hub may have more of them than an older page. It knows
 * what each game has (Protocol.md, `otherView`): who plays, whose turn it is, and until when. Nobody moves in it here.
 * @type {Omit<import("./game.js").Game<AnyView>, "move" | "board" | "style">}
 */
export const unknownGame = {
  title: "",
  // How many seats its rooms have at most is not known.
  seats: [1, 0],
  levels: [],
  buttons: [],

  start: ({ options, seats, first }) => ({ options, seats: seats.map(({ seat }) => seat), turn: first }),
  fold: (view) => view,

  mayMove: () => false,
  whyNot: () => "game.unknown",
  turnText: () => "now.move",
  sentence: () => "",
};

/**
 * What is followed of the view of such a game: the rest would not change with its events.
 * @param {AnyView} view
 * @returns {AnyView}
 */
export function knownPartOf({ options, seats, turn, deadline }) {
  return { options, seats, turn, ...(deadline !== undefined && { deadline }) };
}
