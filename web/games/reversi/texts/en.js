// @ts-check

/** The sentences of Reversi in English. */
export const en = {
  "reversi": "Reversi",
  "reversi.resign": "Resign",
  "reversi.resign.question": "Give this game up?",
  "reversi.place-disc": "{name} placed a disc on {cell} and turned {count} over.",
  "reversi.place-disc.you": "You placed a disc on {cell} and turned {count} over.",
  "reversi.pass": "{name} cannot move and passes.",
  "reversi.pass.you": "You cannot move and pass.",
  "reversi.resigned": "{name} resigned.",
  "reversi.resigned.you": "You resigned.",
  "reversi.black": "black",
  "reversi.white": "white",
  "reversi.empty": "empty",
  "reversi.legal": "empty, legal move",
  "reversi.last": "{what}, last move",
  "how.reversi": "Place a disc so that one or more straight rows of the other side's discs lie between it and another of yours: all of these turn over. Black begins. Who cannot move passes; when neither can, most discs win. Whose time runs out has lost.",
  "error.cell-is-taken": "There is a disc already.",
  "error.flips-nothing": "A disc there would turn nothing over.",
};
