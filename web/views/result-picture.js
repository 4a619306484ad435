// @ts-check
import { handsOutPixels } from "../games/pixels.js";

/**
 * @typedef {ReturnType<typeof import("./result-words.js").summary>} Summary
 * @typedef {{columns: number, tiles: import("../games/game.js").Tile[]}} Board
 * @typedef {{colour: string, corners: {x: number, y: number}[]}} SeatLook its colour, and its mark in a square of 1 by
 *   1; a mark without corners is a disc
 */

const WIDTH = 1080, HEIGHT = 1350, EDGE = 90;
/** The greatest size of the board. */
const BOARD = { width: 760, height: 660 };
/** The gap between two columns. */
const GAP = 30;
const FONT = "system-ui, sans-serif";
const DISC = { colour: "", corners: [] };
/** For games whose pieces have two colours, and the rim around them on the picture's light ground. */
const PIECES = { black: "#16131d", white: "#ffffff" }, RIM = "#5c5476";
/** The size of a seat's mark before a name, with the gap after it. */
const MARK = 48;
/** More players than this stand in two columns: the board keeps its place. */
const LINES = 4;

/**
 * The end of a game as a picture: the winner, names, and the final board in small; each seat in its colour, with its
 * mark or the disc that it played. Null if the browser does not return one.
 * @param {Summary} summary
 * @param {Board | null} board
 * @returns {Promise<Blob | null>}
 */
export function resultPicture(summary, board) {
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
  summary.lines.forEach(({ medal, name, score, seat, disc }, line) => {
    const x = EDGE + width * (Math.floor(line / rows) + 0.5);
    const look = lookOf(seat), y = 290 + (line % rows) * 64;
    const room = width - (columns - 1) * GAP - 2 * MARK;
    const half = write(pen, `${medal} ${name}  ${score}`.trim(), y,
      { size: 48, weight: 700, colour: look.colour, x: x + MARK / 2, width: room }) / 2;
    pen.fillStyle = disc ? PIECES[disc] : look.colour;
    drawMark(pen, disc ? DISC : look, x - half - MARK / 2, y - 0.78 * MARK, 0.8 * MARK);
    if (!disc) return;
    pen.strokeStyle = RIM;
    pen.lineWidth = 3;
    pen.stroke();
  });
  const top = 330 + rows * 64;
  if (board) drawBoard(pen, board, top, HEIGHT - top - EDGE);
  return new Promise((settle) => canvas.toBlob(settle, "image/png"));
}

/**
 * A seat's look in the style sheet.
 * @param {number} seat
 * @returns {SeatLook}
 */
function lookOf(seat) {
  const probe = document.createElement("i");
  probe.dataset.seat = String(seat);
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const colour = style.getPropertyValue("--seat").trim(), mark = style.getPropertyValue("--mark");
  probe.remove();
  const corners = [...mark.matchAll(/([\d.]+)%? ([\d.]+)%?/g)].map(([, x, y]) => ({ x: +x / 100, y: +y / 100 }));
  return { colour, corners };
}

/**
 * A line centred at `x`, as large as fits; returns its width.
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
  return pen.measureText(words).width;
}

/**
 * Drawn in the pen's colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {SeatLook} look
 * @param {number} left
 * @param {number} top
 * @param {number} size
 */
function drawMark(pen, { corners }, left, top, size) {
  pen.beginPath();
  for (const { x, y } of corners) pen.lineTo(left + x * size, top + y * size);
  if (corners.length === 0) pen.arc(left + size / 2, top + size / 2, 0.46 * size, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Board} board
 * @param {number} top
 * @param {number} height
 */
function drawBoard(pen, { columns, tiles }, top, height) {
  const rows = Math.ceil(tiles.length / columns);
  const size = Math.min(BOARD.width / columns, Math.min(BOARD.height, height) / rows), gap = size * 0.08;
  const left = (WIDTH - size * columns) / 2, room = Math.max(0, height - size * rows) / 2;
  tiles.forEach(({ ground, disc, seat, text }, index) => {
    const x = left + (index % columns) * size, y = top + room + Math.floor(index / columns) * size;
    const look = seat === undefined ? null : lookOf(seat);
    const colour = ground ?? look?.colour;
    if (!colour) return;
    pen.fillStyle = colour;
    box(pen, x + gap / 2, y + gap / 2, size - gap, size * 0.16);
    if (disc) {
      pen.fillStyle = PIECES[disc];
      pen.beginPath();
      pen.arc(x + size / 2, y + size / 2, size * 0.38, 0, 2 * Math.PI);
      pen.fill();
    }
    if (look && !text) {
      pen.fillStyle = "#ffffff";
      drawMark(pen, look, x + size * 0.25, y + size * 0.25, size * 0.5);
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
    if (!look) return;
    pen.fillStyle = "#ffffff";
    drawMark(pen, DISC, x + size * 0.58, y + size * 0.58, size * 0.42);
    pen.fillStyle = look.colour;
    drawMark(pen, look, x + size * 0.64, y + size * 0.64, size * 0.3);
  });
}

/** A square with round corners, also for browsers without `roundRect`. */
function box(/** @type {CanvasRenderingContext2D} */ pen, /** @type {number} */ x, /** @type {number} */ y,
  /** @type {number} */ size, /** @type {number} */ radius) {
  pen.beginPath();
  pen.moveTo(x + radius, y);
  for (const [cornerX, cornerY, toX, toY] of [[x + size, y, x + size, y + size], [x + size, y + size, x, y + size],
    [x, y + size, x, y], [x, y, x + size, y]]) pen.arcTo(cornerX, cornerY, toX, toY, radius);
  pen.fill();
}
