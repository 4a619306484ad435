// @ts-check
import { gameOf } from "../games/list.js";
import { downloadLog } from "../net/room-log.js";
import { text } from "../texts/texts.js";
import { resultPicture } from "../views/result-picture.js";
import { resultText, summary } from "../views/result-words.js";
import { copyText } from "./clipboard.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent */

/**
 * Shares the end of a game: a picture and a text, by what the device has for it; else the text is on the clipboard and
 * the picture among the downloads. Where the browser hands out no picture, it is the text alone.
 * @param {RoomState} state
 * @param {Pick<import("./elements.js").Shell, "toast" | "bring">} shell
 */
export async function shareResult(state, { toast, bring }) {
  const { room } = state;
  const [part, events] = await Promise.all([partOf(room.game, bring), eventsOfGame(room)]);
  const words = resultText(state, part?.squares(state.view, events) ?? [], linkTo(room));
  const picture = await resultPicture(summary(state), part?.board(state.view) ?? null);
  const files = picture ? [new File([picture], `flipside-${room.game}.png`, { type: "image/png" })] : [];
  const given = files.length > 0 ? { files, text: words } : { text: words };
  if (navigator.canShare?.(given)) {
    try { return await navigator.share(given); } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  const isCopied = await copyText(words, document.body);
  for (const file of files) download(file);
  if (files.length > 0) toast(text(isCopied ? "share.result-copied" : "share.result-saved"));
  else toast(text(isCopied ? "share.result-text-copied" : "share.result-failed"), isCopied ? undefined : "bad");
}

/** A room that only those with its link can find is not told of by its result. */
const linkTo = (/** @type {RoomState["room"]} */ { visibility, code }) =>
  (visibility !== "unlisted" ? `${location.origin}/replay/${encodeURIComponent(code)}` : location.origin);

/** @type {Map<string, import("../games/game.js").SharedResult<any>>} */
const parts = new Map();
let tries = 0;

/**
 * What a game itself has to share; null where it has nothing, or it cannot come now: the rest is shared all the same.
 * @param {string} game
 * @param {import("./elements.js").Shell["bring"]} bring
 */
async function partOf(game, bring) {
  const { result } = gameOf(game);
  if (!result || parts.has(game)) return parts.get(game) ?? null;
  // Browsers keep what did not come: the next try asks for it by another address.
  const again = tries++ > 0 ? `?${tries}` : "";
  const part = await bring(() => result(again)).catch(() => null);
  if (part) parts.set(game, part);
  return part;
}

/**
 * The events of the game that has ended, though another may have begun; none where they cannot be had now.
 * @param {RoomState["room"]} room
 * @returns {Promise<RecordedEvent[]>}
 */
async function eventsOfGame({ code, gameNumber }) {
  try {
    const events = (await downloadLog(code)).flatMap(({ event }) => (event ? [event] : []));
    const isEdge = (/** @type {RecordedEvent} */ event, /** @type {string} */ type) =>
      event.type === type && "number" in event && event.number === gameNumber;
    const start = events.findIndex((event) => isEdge(event, "game-started"));
    return start < 0 ? [] : events.slice(start, events.findIndex((event) => isEdge(event, "game-ended")) + 1);
  } catch { return []; }
}

function download(/** @type {File} */ file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  // Not at once: the browser may only begin with it then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
