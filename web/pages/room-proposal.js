// @ts-check
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../games/room.js").HubMessage} HubMessage */

/**
 * The table's proposal, above the board; loads with the first one.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => void} draw draws the whole room
 */
export function tableProposal(room, shell, draw) {
  const view = shell.lazyPart(bringProposal);
  const drawAgain = () => draw();
  const isAsked = () => room.state?.room.proposal !== undefined;
  /** Who refused last. */
  let refused = /** @type {string | undefined} */ (undefined);
  return {
    /** @param {boolean} isEndDue the end of a game shows it all itself */
    draw(/** @type {RoomState} */ state, isEndDue) {
      if (view.part) view.part.bar.draw(state, !isEndDue);
      else if (isAsked()) view.use(drawAgain);
    },
    time() { view.part?.bar.time(room.state, room.hubTime); },
    /** Announces the outcome. */
    hear(/** @type {HubMessage} */ message, /** @type {RoomState} */ before) {
      if (!("v" in message && "t" in message)) return;
      if (message.type === "proposed") refused = undefined;
      if (message.type === "answered" && !message.agrees) refused = message.player;
      if (before?.room.proposal) view.use(({ outcome }) => shell.toast(outcome(message, before, refused)));
    },
  };
}

/**
 * Loads late: most games have no proposal.
 * @param {string} again
 */
async function bringProposal(again) {
  /** @type {[typeof import("../views/proposal.js"), void]} */
  const [{ proposalBar, outcome }] = await Promise.all(
    [import(`../views/proposal.js${again}`), styled(`/styles/proposal.css${again}`)]);
  const [root, words, waits] = ["proposal", "proposal-words", "proposal-waits"].map(element);
  const left = ["proposal-left", "end-left"].map(element);
  const [yes, no] = ["proposal-yes", "proposal-no"].map(element);
  return () => ({ bar: proposalBar({ root, words, waits, left, yes, no }), outcome });
}
