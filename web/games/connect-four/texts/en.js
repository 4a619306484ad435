// @ts-check

/** The sentences of connect four in English. */
export const en = {
  "connect-four": "Connect four",
  "connect-four.resign": "Resign",
  "connect-four.resign.question": "Resign this game?",
  "connect-four.drop-disc": "{name} dropped a disc in column {column}.",
  "connect-four.drop-disc.you": "You dropped a disc in column {column}.",
  "connect-four.drop-disc.line": "{name} dropped a disc in column {column}: four in a row.",
  "connect-four.drop-disc.line.you": "You dropped a disc in column {column}: four in a row.",
  "connect-four.resigned": "{name} resigned.",
  "connect-four.resigned.you": "You resigned.",
  "connect-four.hole": "Column {column}, row {row}: {what}",
  "connect-four.empty": "empty",
  "connect-four.disc": "disc of seat {seat}",
  "connect-four.last": "{what}, last move",
  "connect-four.in-line": "{what}, in the winning row",
  "error.column-is-full": "This column is full.",
};
