// @ts-check
import { text } from "../texts/texts.js";
import { element } from "./elements.js";

/**
 * Says in the header of a room how its line stands. `restart` is for when the hub has said that it stops: what follows
 * is no trouble of the line.
 * @param {import("./elements.js").Shell} shell
 */
export function lineStatus(shell) {
  let before = /** @type {import("../net/connection.js").LineState} */ ("connecting");
  let hasBeenOpen = false, hasBeenLost = false, isRestarting = false;
  return {
    restart() { isRestarting = true; },
    /** @param {import("../net/connection.js").LineState} state */
    draw(state) {
      const isBack = state === "open" && before !== "open" && hasBeenOpen, line = element("line");
      before = state;
      hasBeenOpen ||= state === "open";
      // The first moments need no words.
      line.hidden = state === "open" || (!hasBeenOpen && !hasBeenLost && state === "connecting");
      hasBeenLost ||= state === "lost";
      if (state === "open") isRestarting = false;
      line.textContent = text(isRestarting ? "error.restart" : hasBeenOpen ? "line.lost" : "line.none");
      if (!isBack) return;
      shell.toast(text("line.back"));
      shell.quietMoment();
    },
  };
}
