// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { element } from "./elements.js";

/**
 * Says in the header how the line of a page stands. One trouble is said in one sentence, however often the line is
 * tried: it is read out each time it changes. `restart` is for when the hub has said that it stops: what follows is no
 * trouble of the line.
 * @param {import("./elements.js").Shell} shell
 */
export function connectionStatus(shell) {
  let said = "", hasBeenOpen = false, wasLost = false, isRestarting = false;
  return {
    restart() { isRestarting = true; },
    /** @param {import("../net/connection.js").LineState} state */
    draw(state) {
      const isOpen = state === "open", isBack = isOpen && said !== "";
      // After a restart the files may be others, however short it was.
      const isOther = isOpen && (isRestarting || isBack && wasLost);
      if (isOpen) said = "";
      // The first moments need no words.
      else if (hasBeenOpen || state === "lost") said ||= text(trouble(state));
      hasBeenOpen ||= isOpen;
      wasLost = !isOpen && (wasLost || state !== "doubtful");
      if (isOpen) isRestarting = false;
      show(element("line"), said !== "");
      write(element("line"), said);
      if (isBack) shell.toast(text("line.back"));
      if (isOther) shell.quietMoment();
    },
  };

  function trouble(/** @type {import("../net/connection.js").LineState} */ state) {
    if (isRestarting) return "error.restart";
    if (state === "doubtful") return "line.doubt";
    return hasBeenOpen ? "line.lost" : "line.none";
  }
}
