// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "./element-changes.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * An empty chair at the table of a waiting room. The host may put a computer there: `fill` then gets the seat.
 * @param {HTMLTemplateElement} template
 * @param {(seat: number) => void} fill
 */
export function chairs(template, fill) {
  return {
    /** @param {number} seat */
    make(seat) {
      const chair = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
      chair.dataset.seat = String(seat);
      chair.querySelector("button")?.addEventListener("click", () => fill(seat));
      return chair;
    },
    /**
     * @param {HTMLElement} chair
     * @param {RoomState} state
     */
    draw(chair, { you }) {
      write(chair.querySelector(".name"), text("seats.empty"));
      const button = /** @type {HTMLElement} */ (chair.querySelector("button"));
      show(button, you.isHost);
      const label = text("seats.add-to", { seat: Number(chair.dataset.seat) + 1 });
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    },
  };
}
