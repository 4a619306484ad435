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
  "dots-and-boxes.drawn": "drawn by seat {seat}",
  "dots-and-boxes.last": "{what}, last move",
  "how.dots-and-boxes": "Draw a line between two dots next to each other. If you draw the fourth side of a box, you win the box and draw again. When all lines are drawn, the most boxes win. Run out of time and you’re out, but your boxes still count.",
  "how.dots-and-boxes.chains": "Don’t draw the third side of a box if you can help it: the next player takes it. In the end only long rows of boxes are left, and someone has to open one.",
  "error.line-is-drawn": "This line is already drawn.",
};
