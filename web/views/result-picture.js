// @ts-check
import { handsOutPixels } from "../games/pixels.js";

/**
 * @typedef {ReturnType<typeof import("./result-words.js").summary>} Summary
 * @typedef {{columns: number, tiles: import("../games/game.js").Tile[]}} Board
 */

const WIDTH = 1080, HEIGHT = 1350, EDGE = 90;
/** The board is so large at most, each way. */
const BOARD = { width: 760, height: 660 };
/** Between two columns. */
const GAP = 30;
const FONT = "system-ui, sans-serif";
/** More players than these stand in two columns: the board keeps its place. */
const LINES = 4;

/**
 * The end of a game as a picture: what came of it, names, and the last board in small. Null where the browser hands out
 * none.
 * @param {Summary} summary
 * @param {Board | null} board
 * @param {(seat: number) => string} colourOf
 * @returns {Promise<Blob | null>}
 */
export function resultPicture(summary, board, colourOf) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext("2d");
  if (!pen || !handsOutPixels(pen)) return Promise.resolve(null);
  const ground = pen.createLinearGradient(0, 0, 0, HEIGHT);
  ground.addColorStop(0, "#e6dcff");
  ground.addColorStop(0.6, "#f7f5fc");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  write(pen, `Flipside · ${summary.game}`, 100, { size: 40, colour: "#5c5476" });
  write(pen, summary.title, 200, { size: 78, weight: 800 });
  const columns = summary.lines.length > LINES ? 2 : 1, rows = Math.ceil(summary.lines.length / columns);
  const width = (WIDTH - 2 * EDGE) / columns;
  summary.lines.forEach(({ medal, name, score, seat }, line) => {
    const x = EDGE + width * (Math.floor(line / rows) + 0.5);
    const look = { size: 48, weight: 700, colour: colourOf(seat), x, width: width - (columns - 1) * GAP };
    write(pen, `${medal} ${name}  ${score}`.trim(), 290 + (line % rows) * 64, look);
  });
  const top = 330 + rows * 64;
  if (board) drawBoard(pen, board, colourOf, top, HEIGHT - top - EDGE);
  return new Promise((settle) => canvas.toBlob(settle, "image/png"));
}

/**
 * A line with its middle at `x`, as large as it can be to fit.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} y
 * @param {{size: number, weight?: number, colour?: string, x?: number, width?: number}} look
 */
function write(pen, words, y, { size, weight = 600, colour = "#1b1630", x = WIDTH / 2, width = WIDTH - 2 * EDGE }) {
  pen.textAlign = "center";
  pen.fillStyle = colour;
  pen.font = `${weight} ${size}px ${FONT}`;
  const fits = Math.min(1, width / pen.measureText(words).width);
  pen.font = `${weight} ${Math.floor(size * fits)}px ${FONT}`;
  pen.fillText(words, x, y);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Board} board
 * @param {(seat: number) => string} colourOf
 * @param {number} top
 * @param {number} height
 */
function drawBoard(pen, { columns, tiles }, colourOf, top, height) {
  const rows = Math.ceil(tiles.length / columns);
  const size = Math.min(BOARD.width / columns, Math.min(BOARD.height, height) / rows), gap = size * 0.08;
  const left = (WIDTH - size * columns) / 2, room = Math.max(0, height - size * rows) / 2;
  tiles.forEach(({ ground, disc, seat, text }, index) => {
    const x = left + (index % columns) * size, y = top + room + Math.floor(index / columns) * size;
    const colour = ground ?? (seat === undefined ? "" : colourOf(seat));
    if (!colour) return;
    pen.fillStyle = colour;
    box(pen, x + gap / 2, y + gap / 2, size - gap, size * 0.16);
    if (disc) {
      pen.fillStyle = disc;
      pen.beginPath();
      pen.arc(x + size / 2, y + size / 2, size * 0.38, 0, 2 * Math.PI);
      pen.fill();
    }
    if (!text) return;
    pen.fillStyle = "#ffffff";
    box(pen, x + size * 0.13, y + size * 0.13, size * 0.74, size * 0.1);
    pen.fillStyle = "#1b1630";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `700 ${size * (text.length > 2 ? 0.36 : 0.5)}px ${FONT}`;
    pen.fillText(text, x + size / 2, y + size * 0.53, size * 0.7);
    pen.textBaseline = "alphabetic";
  });
}

/** A square with round corners, in browsers that have no `roundRect` yet, too. */
function box(/** @type {CanvasRenderingContext2D} */ pen, /** @type {number} */ x, /** @type {number} */ y,
  /** @type {number} */ size, /** @type {number} */ radius) {
  pen.beginPath();
  pen.moveTo(x + radius, y);
  for (const [cornerX, cornerY, toX, toY] of [[x + size, y, x + size, y + size], [x + size, y + size, x, y + size],
    [x, y + size, x, y], [x, y, x + size, y]]) pen.arcTo(cornerX, cornerY, toX, toY, radius);
  pen.fill();
}
