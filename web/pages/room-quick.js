// @ts-check
import { isComputer, isHere, presentIn, seatedIn } from "../games/room.js";
import { identity } from "../store/identity.js";
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { nameOf } from "../views/names.js";
import { maySit } from "../views/status-line.js";
import { element } from "./elements.js";
import { levelChosen, playMeanwhile } from "./quick-play.js";
import { startCountdown } from "./room-countdown.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {{words: string, take: string, partner?: string, isCount?: boolean}} Offer */

/** After this long without a partner, in ms, a computer is offered. */
const OFFER_DELAY = 10_000;

/**
 * A quick game in its room. It starts by itself when its seats are taken. A player whom no one joins is offered a game
 * with a computer, and someone who arrives during that game is offered as the next partner. A player who came for a
 * quick game takes a seat, once, as soon as one is free.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {{command: import("./room-actions.js").Command, sitDown: () => Promise<unknown>,
 *   say: (sentence: string) => void, draw: () => void}} page `draw` draws the whole room
 */
export function quickGame(room, shell, { command, sitDown, say, draw }) {
  let isSeeking = new URLSearchParams(location.search).has("quick");
  // A reloaded page does not look for a seat, but waits.
  let isQuick = isSeeking || history.state?.isQuick === true;
  let isSitting = false, isTaking = false, agreed = "", said = "";
  const keep = () => history.replaceState({ ...history.state, isQuick }, "", location.pathname + location.hash);
  const hasWaited = heldFor(OFFER_DELAY, draw);
  const countdown = startCountdown(room, shell.toast, draw);
  /** @returns {Offer | null} */
  const offer = () => {
    const words = countdown.words();
    if (words) return { words, take: room.state.you.isHost ? text("quick.not-yet") : "", isCount: true };
    const isLate = hasWaited(isQuick && lacksPartner(room.state, isSeeking));
    return isQuick ? offerIn(room.state, isLate, agreed) : null;
  };
  element("offer-take").addEventListener("click", async () => {
    const now = offer();
    // A second press before the first is answered counts as the first.
    if (!now || isTaking) return;
    if (now.isCount) return countdown.stop();
    if (now.partner) {
      agreed = now.partner;
      draw();
      return makeRoom();
    }
    isTaking = true;
    try {
      await playComputer(room, command);
    } catch (error) { shell.toast(error.message, "bad"); }
    isTaking = false;
  });
  /** Between games, players who have agreed on the next one need no computer. */
  const makeRoom = () => {
    const { room: { status, seats }, you } = room.state;
    if (!agreed || status !== "ended" || !you.isHost) return;
    for (const { seat, player } of seats) if (player && isComputer(player)) command("free", { seat });
  };
  return {
    draw() {
      const now = offer();
      show(element("offer"), now !== null);
      // Some screen readers skip a region that appears together with its text. A countdown is read aloud as it starts.
      if (now && (now.isCount ? said === "" : now.words !== said)) say(now.words);
      said = now?.words ?? "";
      if (!now) return;
      write(element("offer-words"), now.words);
      write(element("offer-take"), now.take);
      show(element("offer-take"), now.take !== "");
    },
    /** @param {import("../games/room.js").HubMessage} message */
    async hear(message) {
      if (message.type === "game-ended") makeRoom();
      const { room: { status }, you } = room.state;
      const isFreed = message.type === "seat-freed" || message.type === "player-left";
      if (isQuick && isFreed && message.player === you.player) {
        isSeeking = isQuick = false;
        keep();
      } else if (isSeeking && you.seat !== undefined) {
        isSeeking = false;
        keep();
      }
      // A player who came for a game, and has had none here, agrees to the proposed one.
      const isAsked = message.type === "proposed" && message.asked.includes(Number(you.seat));
      if (isQuick && isAsked && !hasPlayed(room.state)) command("answer", { agrees: true, to: message.v });
      const isGuest = isSeeking && !you.isHost && you.player !== undefined && status !== "waiting";
      if (!isGuest || isSitting || !maySit(room.state) || status === "dealing") return;
      isSitting = true;
      await sitDown();
      isSitting = false;
    },
  };
}

/**
 * Plays against a computer: at this table if the player may decide that, else at a new one.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./room-actions.js").Command} command
 */
async function playComputer(room, command) {
  const { room: { game, status, seats }, you } = room.state, player = identity();
  if (you.isHost && status === "waiting") {
    // No one waits for the turns of absent players.
    const absent = seats.filter(({ player }) => player && !isHere(room.state, player));
    for (const { seat } of absent) if (!await command("free", { seat })) return;
    const free = seats.find(({ player }) => player === undefined) ?? absent[0];
    if (await command("bot", { seat: free?.seat, level: levelChosen(game) })) await command("start");
  } else if (player) {
    const address = await playMeanwhile(player, game);
    if (you.seat !== undefined) await command("leave");
    location.assign(address);
  }
}

/**
 * Tells whether a condition has held for `delay` ms. Call it with the current state each time; `due` is called at the
 * end.
 * @param {number} delay
 * @param {() => void} due
 */
function heldFor(delay, due) {
  let timer = 0, isDue = false;
  const end = () => {
    isDue = true;
    due();
  };
  return (/** @type {boolean} */ isSo) => {
    if (isSo !== timer > 0) {
      clearTimeout(timer);
      isDue = false;
      timer = isSo ? window.setTimeout(end, delay) : 0;
    }
    return isDue;
  };
}

/**
 * Whether a player who came for a quick game has no one to play with: at a table, or beside one while `isSeeking` a
 * seat.
 * @param {RoomState} state
 * @param {boolean} isSeeking
 */
function lacksPartner(state, isSeeking) {
  const { room: { status, seats }, you } = state, isSeated = you.seat !== undefined;
  if (status === "closed" || !isSeated && !isSeeking || seats.length === 1) return false;
  const isNobodyElse = presentIn(state).length === (isSeated ? 1 : 0);
  if (status === "waiting") return isSeated && isNobodyElse;
  // Others are playing, and may take any amount of time.
  return !hasPlayed(state) && (status !== "ended" || !isSeated || isNobodyElse);
}

/** Whether this page's player was, or is, in the room's newest game. */
const hasPlayed = (/** @type {RoomState} */ { room: { players = [] }, you }) =>
  players.some(({ player }) => player === you.player);

/**
 * @param {RoomState} state
 * @param {boolean} isLate whether the player has waited long for a partner
 * @param {string} agreed the partner agreed on for the next game
 * @returns {Offer | null}
 */
function offerIn(state, isLate, agreed) {
  const { room, room: { status, players = [], banned = [] }, presence, you } = state;
  if (isLate) {
    const isOn = status === "running" || status === "dealing";
    return { words: text(isOn ? "quick.busy" : "quick.nobody"), take: text("quick.computer") };
  }
  if (you.seat === undefined || !you.isHost || status === "waiting") return null;
  const others = players.filter(({ player }) => player !== you.player);
  if (status === "dealing" || status === "closed" || others.some(({ player }) => !isComputer(player))) return null;
  const here = [...seatedIn(room), ...presence.players].filter((player) =>
    player !== you.player && !isComputer(player) && !banned.includes(player) && presence.players.includes(player));
  const partner = here.includes(agreed) ? agreed : here[0];
  if (partner === undefined) return null;
  const name = nameOf(state, partner);
  return partner === agreed ? { words: text("quick.agreed", { name }), take: "", partner }
    : { words: text("quick.here", { name }), take: text("quick.together"), partner };
}
