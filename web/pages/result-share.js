// @ts-check
import { games } from "../games/list.js";
import { downloadLog } from "../net/room-log.js";
import { text } from "../texts/texts.js";
import { resultPicture } from "../views/result-picture.js";
import { resultText, summary } from "../views/result-words.js";
import { copyText } from "./clipboard.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent */

/**
 * Shares the end of a game: a picture and a text, by what the device has for it; else the text is on the clipboard and
 * the picture among the downloads.
 * @param {RoomState} state
 * @param {import("./elements.js").Toast} toast
 */
export async function shareResult(state, toast) {
  const { room } = state, part = await games[room.game].result?.();
  const events = await eventsOfGame(room.code);
  const words = resultText(state, part?.squares(state.view, events) ?? [], linkTo(room));
  const picture = await resultPicture(summary(state), part?.board(state.view) ?? null, colourOf);
  const files = picture ? [new File([picture], `flipside-${room.code}.png`, { type: "image/png" })] : [];
  if (files.length > 0 && navigator.canShare?.({ files, text: words })) {
    try { return await navigator.share({ files, text: words }); } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  const isCopied = await copyText(words, document.body);
  for (const file of files) download(file);
  toast(text(isCopied ? "share.result-copied" : "share.result-saved"));
}

/** A room that only those with its link can find is not told of by its result. */
const linkTo = (/** @type {RoomState["room"]} */ { visibility, code }) =>
  (visibility === "public" ? `${location.origin}/replay/${encodeURIComponent(code)}` : location.origin);

/**
 * The events of the room's newest game; none where they cannot be had now.
 * @param {string} code
 * @returns {Promise<RecordedEvent[]>}
 */
async function eventsOfGame(code) {
  try {
    const events = (await downloadLog(code)).flatMap(({ event }) => (event ? [event] : []));
    return events.slice(events.map(({ type }) => type).lastIndexOf("game-started"));
  } catch { return []; }
}

/** As the style sheet has it. */
function colourOf(/** @type {number} */ seat) {
  const probe = document.createElement("i");
  probe.dataset.seat = String(seat);
  element("end").append(probe);
  const colour = getComputedStyle(probe).getPropertyValue("--seat").trim();
  probe.remove();
  return colour;
}

function download(/** @type {File} */ file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  // Not at once: the browser may only begin with it then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
