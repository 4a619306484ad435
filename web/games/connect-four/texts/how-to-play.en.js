// @ts-check

/** The sentences in English that only the page of the rules has for connect four. */
export const en = {
  "how.connect-four": "Drop a disc into one of seven columns. It falls to the lowest free space. To win, get four of your discs in a row, horizontally, vertically or diagonally. If the board fills up first, it’s a draw. Run out of time and you lose.",
};
