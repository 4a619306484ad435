// @ts-check
import { fold } from "../games/room.js";
import { RoomConnection } from "../net/connection.js";
import { followNetwork, socketURL } from "../net/network.js";
import { watchRooms } from "../net/open-rooms.js";
import { browser } from "../net/surroundings.js";
import { text } from "../texts/texts.js";
import { vary } from "../views/element-changes.js";
import { wallTile } from "../views/wall-tile.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */
/** @typedef {import("../games/room.js").HubMessage} HubMessage */

/** Most rooms at a time, on a wide window and on others: each uses one connection. */
const MANY = 9;
const FEW = 6;
/** How long an end stays visible, in ms. */
const AFTERGLOW = 8_000;
/** How often to check whether the wall should show something else, in ms. */
const LOOK_EVERY = 1_000;

/**
 * What the wall shows next, given what it shows now: running games stay in place, ended ones make room after a while,
 * and others join at the end, those with people first.
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

/** For a tile, in rem: its least width, the least height of its board, and the height of everything around that. */
const NARROWEST = 17, LOWEST = 14, WORDS = 10;
/** The greatest height of a board, as a multiple of its width. */
const HIGHEST = 1.4;

/**
 * How many tiles stand side by side, and how high their boards are, in rem: as large as fits all at once, or as small
 * as allowed if the page has to scroll anyway.
 * @param {number} count
 * @param {{width: number, height: number, gap: number}} room for all of them, and the gap between two, in rem
 * @returns {{columns: number, board: number}}
 */
export function spread(count, { width, height, gap }) {
  const most = Math.max(1, Math.min(count, Math.floor((width + gap) / (NARROWEST + gap))));
  const choices = Array.from({ length: most }, (_, index) => {
    const columns = index + 1, rows = Math.ceil(count / columns);
    const wide = (width + gap) / columns - gap, high = (height + gap) / rows - gap - WORDS;
    return { columns, board: Math.min(high, HIGHEST * wide), side: Math.min(high, wide) };
  });
  const best = choices.reduce((best, one) => (one.side > best.side ? one : best));
  return best.board < LOWEST ? { columns: most, board: LOWEST } : { columns: best.columns, board: best.board };
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
  #spread = () => this.#arrangeTiles();

  enter() {
    addEventListener("resize", this.#spread);
    this.#lobby = watchRooms(() => this.#look());
    this.#timer = window.setInterval(() => this.#look(), LOOK_EVERY);
  }

  leave() {
    removeEventListener("resize", this.#spread);
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
    this.#arrangeTiles();
  }

  /** Makes the tiles fill the window. */
  #arrangeTiles() {
    const root = this.#root, { fontSize } = getComputedStyle(document.documentElement);
    const rem = (/** @type {number | string} */ px) => parseFloat(String(px)) / parseFloat(fontSize);
    const top = root.getBoundingClientRect().top + scrollY, { rowGap, marginBottom } = getComputedStyle(root);
    const height = rem(innerHeight) - rem(top) - rem(marginBottom);
    const { columns, board } = spread(this.#shown.length, { width: rem(root.clientWidth), height, gap: rem(rowGap) });
    vary(root, "--columns", String(columns));
    vary(root, "--board", `${board.toFixed(2)}rem`);
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
      // The events of one move arrive one by one, and are drawn once.
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
