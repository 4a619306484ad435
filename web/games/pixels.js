// @ts-check

/** Colours to read back, and how much each of red, green and blue may differ, of 255. */
const KNOWN = ["#e5484d", "#12784a", "#5f3dd8", "#f7f5fc"];
const NOISE = 8;

/**
 * Whether the browser returns what was drawn: against fingerprinting some return noise, or white. Leaves the canvas
 * empty.
 * @param {CanvasRenderingContext2D} pen
 */
export function handsOutPixels(pen) {
  KNOWN.forEach((colour, index) => {
    pen.fillStyle = colour;
    pen.fillRect(index, 0, 1, 1);
  });
  const { data } = pen.getImageData(0, 0, KNOWN.length, 1);
  pen.clearRect(0, 0, KNOWN.length, 1);
  pen.fillStyle = "#000000";
  return KNOWN.every((colour, index) => [0, 1, 2].every((part) =>
    Math.abs(data[4 * index + part] - Number.parseInt(colour.slice(1 + 2 * part, 3 + 2 * part), 16)) <= NOISE));
}
