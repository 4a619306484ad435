// @ts-check

/** The sentences of dots and boxes in English. */
export const en = {
  "dots-and-boxes": "Dots and boxes",
  "dots-and-boxes.size": "Board",
  "dots-and-boxes.dots": "{size} × {size} dots",
  "dots-and-boxes.resign": "Resign",
  "dots-and-boxes.resign.question": "Resign this game?",
  "dots-and-boxes.draw-line": "{name} drew a line.",
  "dots-and-boxes.draw-line.you": "You drew a line.",
  "dots-and-boxes.box": "{name} drew a line and won a box.",
  "dots-and-boxes.box.you": "You drew a line and won a box.",
  "dots-and-boxes.boxes": "{name} drew a line and won two boxes.",
  "dots-and-boxes.boxes.you": "You drew a line and won two boxes.",
  "dots-and-boxes.boxes-left": "{count} boxes left",
  "dots-and-boxes.boxes-left.one": "1 box left",
  "dots-and-boxes.resigned": "{name} resigned.",
  "dots-and-boxes.resigned.you": "You resigned.",
  "dots-and-boxes.out": "You’re out of this game.",
  "dots-and-boxes.lying": "Horizontal line {column} of row {row}: {what}",
  "dots-and-boxes.standing": "Vertical line {column} of row {row}: {what}",
  "dots-and-boxes.open": "open",
  "dots-and-boxes.wins": "open, wins a box",
  "dots-and-boxes.third": "open, third side of a box",
  "dots-and-boxes.drawn": "drawn by seat {seat}",
  "dots-and-boxes.last": "{what}, last move",
  "error.line-is-drawn": "This line is already drawn.",
};
