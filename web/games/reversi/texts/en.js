// @ts-check

/** The sentences of Reversi in English. */
export const en = {
  "reversi": "Reversi",
  "reversi.resign": "Resign",
  "reversi.resign.question": "Resign this game?",
  "reversi.place-disc": "{name} placed a disc on {cell} and flipped {count}.",
  "reversi.place-disc.you": "You placed a disc on {cell} and flipped {count}.",
  "reversi.pass": "{name} can’t move and passes.",
  "reversi.pass.you": "You can’t move, so you pass.",
  "reversi.resigned": "{name} resigned.",
  "reversi.resigned.you": "You resigned.",
  "reversi.black": "black",
  "reversi.white": "white",
  "reversi.empty": "empty",
  "reversi.legal": "empty, legal move",
  "reversi.last": "{what}, last move",
  "error.cell-is-taken": "There’s already a disc here.",
  "error.flips-nothing": "A disc there wouldn’t flip any.",
};
