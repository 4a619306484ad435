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
 * Shares the end of a game, a picture and a text, by the device's own means; without these the text goes to the
 * clipboard and the picture to the downloads. If the browser provides no picture, it shares only the text.
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

/** A shared result does not reveal a room that only people with its link can find. */
const linkTo = (/** @type {RoomState["room"]} */ { visibility, code }) =>
  (visibility !== "unlisted" ? `${location.origin}/replay/${encodeURIComponent(code)}` : location.origin);

/** @type {Map<string, import("../games/game.js").SharedResult<any>>} */
const parts = new Map();
let tries = 0;

/**
 * What the game itself adds; null if it has nothing or that cannot load now: the rest is shared anyway.
 * @param {string} game
 * @param {import("./elements.js").Shell["bring"]} bring
 */
async function partOf(game, bring) {
  const { result } = gameOf(game);
  if (!result || parts.has(game)) return parts.get(game) ?? null;
  // Browsers remember a failed module, so the next try uses another address.
  const again = tries++ > 0 ? `?${tries}` : "";
  const part = await bring(() => result(again)).catch(() => null);
  if (part) parts.set(game, part);
  return part;
}

/**
 * The events of the game that has ended, even if another has begun; empty if they cannot be loaded now.
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
  // Not at once: the browser may only start the download later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
