// @ts-check
import { fold } from "../games/room.js";
import { RoomConnection } from "../net/connection.js";
import { followNetwork, socketURL } from "../net/network.js";
import { watchRooms } from "../net/open-rooms.js";
import { browser } from "../net/surroundings.js";
import { text } from "../texts/texts.js";
import { wallTile } from "../views/wall-tile.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../games/room.js").HubMessage} HubMessage */

/** Most rooms at a time, on a wide window and on others: each is a line of its own. */
const MANY = 9;
const FEW = 6;
/** How long an end stays to be seen, in ms. */
const AFTERGLOW = 8_000;
/** How often it is looked whether something else should be shown, in ms. */
const LOOK_EVERY = 1_000;

/**
 * What the wall shows next, by what it shows: running games stay where they are, those that have ended make room after
 * a while, and others come in behind, those with people first.
 * @param {{code: string, endedAt?: number}[]} shown
 * @param {import("../net/lobby.js").Room[]} rooms
 * @param {number} limit
 * @param {number} now
 * @returns {{code: string, endedAt?: number}[]}
 */
export function arrange(shown, rooms, limit, now) {
  const runs = (/** @type {string} */ code) =>
    rooms.some((room) => room.code === code && ["running", "dealing"].includes(room.status));
  const kept = shown.map(({ code, endedAt }) => (runs(code) ? { code } : { code, endedAt: endedAt ?? now }))
    .filter(({ endedAt }) => endedAt === undefined || now - endedAt < AFTERGLOW).slice(0, limit);
  const others = rooms.filter(({ code }) => runs(code) && !kept.some((one) => one.code === code))
    .sort((a, b) => Math.sign(b.present) - Math.sign(a.present));
  return [...kept, ...others.slice(0, limit - kept.length).map(({ code }) => ({ code }))];
}

/** Several running games at once, live; a click opens one. */
export function wallPage() {
  const wall = new Wall();
  return { root: element("wall"), title: text("wall.title"), enter: () => wall.enter(), leave: () => wall.leave() };
}

class Wall {
  #root = element("tiles");
  /** @type {{code: string, endedAt?: number}[]} */
  #shown = [];
  /** @type {Map<string, {tile: ReturnType<typeof wallTile>, close: () => void}>} */
  #tiles = new Map();
  #lobby = /** @type {ReturnType<typeof watchRooms> | null} */ (null);
  #timer = 0;

  enter() {
    this.#lobby = watchRooms(() => this.#look());
    this.#timer = window.setInterval(() => this.#look(), LOOK_EVERY);
  }

  leave() {
    this.#lobby?.leave();
    this.#lobby = null;
    clearInterval(this.#timer);
    this.#shown = [];
    this.#draw();
  }

  #look() {
    if (!this.#lobby) return;
    const limit = matchMedia("(min-width: 62.5rem)").matches ? MANY : FEW;
    this.#shown = arrange(this.#shown, this.#lobby.rooms, limit, browser.now());
    this.#draw();
    element("no-games").hidden = this.#shown.length > 0;
  }

  #draw() {
    for (const [code, { tile, close }] of this.#tiles) {
      if (this.#shown.some((one) => one.code === code)) continue;
      close();
      tile.root.remove();
      this.#tiles.delete(code);
    }
    for (const { code } of this.#shown) if (!this.#tiles.has(code)) this.#tiles.set(code, this.#open(code));
  }

  #open(/** @type {string} */ code) {
    const tile = wallTile(element("tile-template"), code);
    this.#root.append(tile.root);
    let state = /** @type {RoomState | null} */ (null), isDue = false;
    const draw = () => {
      isDue = false;
      if (state) tile.draw(state);
    };
    const receive = (/** @type {HubMessage} */ message) => {
      const before = state;
      state = fold(state, message);
      if (!state || state === before || isDue) return;
      // The events of one move come one by one, and are drawn once.
      isDue = true;
      requestAnimationFrame(draw);
    };
    const url = socketURL(`/ws/rooms/${encodeURIComponent(code)}`);
    const showLine = (/** @type {string} */ line) => { tile.root.dataset.line = line; };
    const connection = new RoomConnection(url, null, { message: receive, state: showLine }, browser);
    const unfollow = followNetwork(connection);
    const close = () => {
      unfollow();
      connection.close();
    };
    return { tile, close };
  }
}
