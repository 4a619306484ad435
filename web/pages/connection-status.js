// @ts-check
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { element } from "./elements.js";

/**
 * Shows the state of a page's connection in the header. Each problem is one sentence, however many attempts it takes,
 * because every change is read aloud. Call `restart` when the hub announces a restart: what follows is not the
 * connection's fault.
 * @param {import("./elements.js").Shell} shell
 */
export function connectionStatus(shell) {
  let said = "", hasBeenOpen = false, wasLost = false, isRestarting = false;
  return {
    restart() { isRestarting = true; },
    /** @param {import("../net/connection.js").LineState} state */
    draw(state) {
      const isOpen = state === "open", isBack = isOpen && said !== "";
      // A restart may bring new files, however short it was.
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
