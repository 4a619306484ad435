// @ts-check
import { handsOutPixels } from "../pixels.js";

/** @typedef {boolean[]} Inked whether each pixel is drawn on */
/** @typedef {(boolean | undefined)[]} Box the same for a box; undefined where its content differs */

/**
 * Stand-ins for card faces that the device's fonts lack. A font draws all of these as the same box, in Firefox with the
 * character's code in it. Each gets a figure with a number instead, the same on both cards of a pair.
 */

/**
 * Characters that no font has, in groups whose boxes are of one kind: codes of six digits, and of four. What all of a
 * group have in common is the box; its digits differ in every place.
 */
const MISSING = [
  ["\u{10FFFF}", "\u{4ABCD}", "\u{57913}", "\u{D8E60}", "\u{C24D7}"],
  ["\u0378", "\u2432", "\uABFE", "\u1F16", "\uD7C9"],
];
/** A missing character differs from the box by less than this share of the box's pixels: some digits coincide. */
const LIKENESS = 0.2;
/** Characters are measured at this size, in px. */
const SIZE = 24;
/** As many figures as two-digit numbers. */
const FIGURES = 100;
const COLOURS = ["#a61e4d", "#1864ab", "#2b8a3e", "#7a3ec0", "#b3500b", "#0b7285", "#3b4458"];

/** @type {Map<string, number | null>} The figure for each face drawn so far; null if the font has the face. */
const figures = new Map();
/** @type {Map<string, string>} The face for each drawing of the font: of two equal drawings the first face keeps it. */
const bearers = new Map();
/** @type {Box[]} */
let boxes = [];
/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;

/**
 * A picture for a face that this device's fonts lack, or draw like another; null for any face that they have.
 * @param {string} face
 * @param {string} name
 * @param {Document} page
 */
export function standIn(face, name, page) {
  if (!figures.has(face)) figures.set(face, isDrawnAsItself(face, page) ? null : freeFigure(face));
  const figure = figures.get(face);
  return figure === null || figure === undefined ? null : drawing(figure, name, page);
}

/** The figure that follows from the face, so that it is the same next time, or the next free one. */
function freeFigure(/** @type {string} */ face) {
  const wanted = [...face].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0);
  const taken = new Set(figures.values());
  const all = Array.from({ length: FIGURES }, (_, index) => (wanted + index) % FIGURES);
  return all.find((figure) => !taken.has(figure)) ?? wanted % FIGURES;
}

function isDrawnAsItself(/** @type {string} */ face, /** @type {Document} */ page) {
  if (pen === undefined) pen = penOf(page);
  if (!pen) return true;
  const pixels = drawn(pen, face);
  if (boxes.some((box) => isLike(inked(pixels), box))) return false;
  const key = pixels.join(), bearer = bearers.get(key);
  if (bearer === undefined) bearers.set(key, face);
  return bearer === undefined || bearer === face;
}

/** Null if nothing can be measured. */
function penOf(/** @type {Document} */ page) {
  const canvas = Object.assign(page.createElement("canvas"), { width: SIZE, height: SIZE });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen || !handsOutPixels(pen)) return null;
  pen.font = `${SIZE * 0.8}px ${getComputedStyle(page.body).fontFamily}`;
  pen.textBaseline = "middle";
  boxes = MISSING.map((signs) => {
    const [first, ...others] = signs.map((sign) => inked(drawn(pen, sign)));
    return first.map((ink, at) => (others.every((other) => other[at] === ink) ? ink : undefined));
  });
  return pen;
}

/** What a character looks like: four numbers a pixel, the last of which is its opacity. */
function drawn(/** @type {CanvasRenderingContext2D} */ pen, /** @type {string} */ sign) {
  pen.clearRect(0, 0, SIZE, SIZE);
  pen.fillText(sign, 0, SIZE / 2);
  return pen.getImageData(0, 0, SIZE, SIZE).data;
}

/** @returns {Inked} */
const inked = (/** @type {Uint8ClampedArray} */ pixels) =>
  Array.from({ length: pixels.length / 4 }, (_, at) => pixels[4 * at + 3] > 127);

function isLike(/** @type {Inked} */ sign, /** @type {Box} */ box) {
  const unlike = box.filter((ink, at) => ink !== undefined && ink !== sign[at]).length;
  return unlike < LIKENESS * box.filter(Boolean).length;
}

/**
 * @param {number} figure
 * @param {string} name
 * @param {Document} page
 */
function drawing(figure, name, page) {
  const element = (/** @type {string} */ kind, /** @type {Record<string, string>} */ attributes) => {
    const element = page.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const corners = 3 + figure % 5, isStar = figure % 2 === 1, count = isStar ? 2 * corners : corners;
  const points = Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2, reach = isStar && index % 2 === 1 ? 19 : 31;
    return `${(32 + reach * Math.cos(angle)).toFixed(1)},${(33 + reach * Math.sin(angle)).toFixed(1)}`;
  });
  const picture = element("svg", { viewBox: "0 0 64 64" });
  const shape = element("polygon", {
    points: points.join(" "), fill: COLOURS[figure % COLOURS.length], stroke: COLOURS[figure % COLOURS.length],
    "stroke-width": "4", "stroke-linejoin": "round",
  });
  const number = element("text", {
    x: "32", y: "41", fill: "#ffffff", "text-anchor": "middle", "font-size": "21", "font-weight": "800",
  });
  number.textContent = String(figure);
  const title = element("title", {});
  title.textContent = name;
  picture.append(title, shape, number);
  return picture;
}
