// @ts-check

/** The sentences of connect four in English. */
export const en = {
  "connect-four": "Connect four",
  "connect-four.resign": "Resign",
  "connect-four.resign.question": "Give this game up?",
  "connect-four.drop-disc": "{name} dropped a disc into column {column}.",
  "connect-four.drop-disc.you": "You dropped a disc into column {column}.",
  "connect-four.drop-disc.line": "{name} dropped a disc into column {column}: four in a row.",
  "connect-four.drop-disc.line.you": "You dropped a disc into column {column}: four in a row.",
  "connect-four.resigned": "{name} resigned.",
  "connect-four.resigned.you": "You resigned.",
  "connect-four.hole": "Column {column}, row {row}: {what}",
  "connect-four.empty": "empty",
  "connect-four.disc": "disc of seat {seat}",
  "connect-four.last": "{what}, last move",
  "connect-four.in-line": "{what}, in the row of four",
  "how.connect-four": "Drop a disc into one of seven columns: it falls to the lowest free place. Four of yours in a row, across, upwards or aslant, win. If the board fills up before, it is a draw. Whose time runs out has lost.",
  "error.column-is-full": "This column is full.",
};
