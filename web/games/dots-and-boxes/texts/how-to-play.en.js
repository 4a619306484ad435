// @ts-check

/** The sentences in English that only the page of the rules has for dots and boxes. */
export const en = {
  "how.dots-and-boxes": "Draw a line between two dots next to each other. If you draw the fourth side of a box, you win the box and draw again. When all lines are drawn, the most boxes win. Run out of time and you’re out, but your boxes still count.",
  "how.dots-and-boxes.chains": "Don’t draw the third side of a box if you can help it: the next player takes it. In the end only long rows of boxes are left, and someone has to open one.",
};
