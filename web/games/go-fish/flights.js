// @ts-check
import { FIRST_PLAYER } from "./fold.js";

/** How long a card flies, how much later the next one follows, and one that is drawn after a question, in ms. */
const FLIGHT = 620, NEXT = 90, LATER = 180;

/**
 * Moves cards from one place on the board to another: those that an event has given or drawn.
 * @param {HTMLElement} root
 * @param {{type: string, seat?: number, of?: number, rank?: string, count?: number}} event
 * @param {number | undefined} own the viewer's seat
 * @param {(rank?: string) => HTMLElement} make makes a card, face down if its rank is unknown
 */
export function fly(root, { type, seat, of, rank, count = 1 }, own, make) {
  if (type !== "card-drawn" && type !== "cards-asked") return;
  const placeOf = (/** @type {number | undefined} */ one) => {
    const fan = `[data-target="${FIRST_PLAYER + Number(one)}"] .go-fish-fan`;
    return root.querySelector(one === undefined ? ".go-fish-pond" : one === own ? ".go-fish-hand" : fan);
  };
  const [start, end] = [placeOf(of), placeOf(seat)].map((place) => place?.getBoundingClientRect());
  if (!start || !end) return;
  const ground = root.getBoundingClientRect();
  for (let index = 0; index < count; index++) {
    const card = make(rank);
    card.classList.add("go-fish-flying");
    root.append(card);
    const at = (/** @type {DOMRect} */ { x, y, width, height }, /** @type {number} */ scale) => {
      const right = x - ground.x + (width - card.offsetWidth) / 2 + index * 14;
      return `translate(${right}px, ${y - ground.y + (height - card.offsetHeight) / 2}px) scale(${scale})`;
    };
    const way = [
      { transform: at(start, 0.8), opacity: 0 }, { transform: at(start, 1.1), opacity: 1, offset: 0.2 },
      { transform: at(end, 1), opacity: 1, offset: 0.85 }, { transform: at(end, 0.9), opacity: 0 },
    ];
    const delay = index * NEXT + (of === undefined ? LATER : 0), gone = () => card.remove();
    card.animate(way, { duration: FLIGHT, delay, easing: "ease-in-out", fill: "backwards" }).finished.then(gone, gone);
  }
}
