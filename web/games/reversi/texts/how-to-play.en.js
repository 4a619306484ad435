// @ts-check

/** The sentences in English that only the page of the rules has for Reversi. */
export const en = {
  "how.reversi": "Place a disc so that discs of the other colour lie in a straight line between it and another of yours. All of these flip, in every direction. Black goes first. If you can’t move, you pass. If neither side can move, the most discs win. Run out of time and you lose.",
};
