// @ts-check
import { fittingLevel } from "../games/options.js";
import { isComputer } from "../games/room.js";
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { nameOf } from "../views/names.js";
import { maySit } from "../views/status-line.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/** So long somebody waits for a partner before a computer is offered, in ms. */
const PATIENCE = 10_000;

/**
 * What a quick game goes on with in its room: whom nobody joins is offered a computer, and who comes while that is
 * played is offered as the next partner. Who came to such a game sits down as soon as a seat is free.
 * @param {import("./room-session.js").RoomSession} room
 * @param {(type: string, fields?: object) => Promise<void>} command
 * @param {() => Promise<void>} sitDown
 * @param {() => void} draw draws the whole room
 */
export function quickGame(room, command, sitDown, draw) {
  const isQuick = new URLSearchParams(location.search).has("quick");
  let isLate = false, isSitting = false, agreed = "";
  if (isQuick) {
    setTimeout(() => {
      isLate = true;
      draw();
    }, PATIENCE);
  }
  const offer = () => (isQuick && room.state ? offerIn(room.state, isLate, agreed) : null);
  element("offer-take").addEventListener("click", async () => {
    const now = offer();
    if (now?.partner) {
      agreed = now.partner;
      draw();
      makeRoom();
    } else if (now) {
      const { game, seats } = room.state.room, free = seats.find(({ player }) => player === undefined)?.seat;
      await command("bot", { seat: free, level: fittingLevel(game) });
      await command("start");
    }
  });
  /** Between games, those who have agreed on the next one need no computer. */
  const makeRoom = () => {
    const { room: { status, seats }, you } = room.state;
    if (!agreed || status !== "ended" || !you.isHost) return;
    for (const { seat, player } of seats) if (player && isComputer(player)) command("free", { seat });
  };
  return {
    draw() {
      const now = offer();
      show(element("offer"), now !== null);
      if (!now) return;
      write(element("offer-words"), now.words);
      write(element("offer-take"), now.take);
      show(element("offer-take"), now.take !== "");
    },
    /** @param {import("../games/room.js").HubMessage} message */
    async hear(message) {
      if (message.type === "game-ended") makeRoom();
      const { room: { status }, you } = room.state;
      const isGuest = isQuick && !you.isHost && you.player !== undefined && status !== "waiting";
      if (!isGuest || isSitting || !maySit(room.state) || status === "dealing") return;
      isSitting = true;
      await sitDown();
      isSitting = false;
    },
  };
}

/**
 * @param {RoomState} state
 * @param {boolean} isLate
 * @param {string} agreed who is agreed on for the next game
 * @returns {{words: string, take: string, partner?: string} | null}
 */
function offerIn(state, isLate, agreed) {
  const { room: { status, seats, players = [], banned = [] }, presence, you } = state;
  if (you.seat === undefined || !you.isHost) return null;
  const seated = seats.flatMap(({ player }) => player ?? []);
  if (status === "waiting") {
    return isLate && seated.length === 1 && seats.length > 1
      ? { words: text("quick.nobody"), take: text("quick.computer") } : null;
  }
  const others = players.filter(({ player }) => player !== you.player);
  if (status === "dealing" || status === "closed" || others.some(({ player }) => !isComputer(player))) return null;
  const here = [...seated, ...presence.players].filter((player) =>
    player !== you.player && !isComputer(player) && !banned.includes(player) && presence.players.includes(player));
  const partner = here.includes(agreed) ? agreed : here[0];
  if (partner === undefined) return null;
  const name = nameOf(state, partner);
  return partner === agreed ? { words: text("quick.agreed", { name }), take: "", partner }
    : { words: text("quick.here", { name }), take: text("quick.together"), partner };
}
