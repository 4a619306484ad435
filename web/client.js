// @ts-check

/**
 * Flipside's client without a page: for bots, checkers and other pages. It needs only ES modules, `fetch` and
 * `WebSocket`, and touches no document. The page is built from the same modules. Protocol.md describes what the two
 * sides send. In Node (version 20 or later) without a `WebSocket` of its own, pass in the one from the package `ws`:
 *
 *     import { WebSocket } from "ws";
 *     const world = surroundings({ WebSocket });    // in place of `browser` below
 *
 * Connect, send commands, and follow the room:
 *
 *     import { browser, fold, RoomConnection } from "./client.js";
 *
 *     let state = null;                             // a room as everyone sees it: { room, view, you, names, ... }
 *     const line = new RoomConnection("ws://localhost:8080/ws/rooms/k3m7pq", token, {
 *       message: (message) => { state = fold(state, message); },   // act on it unless it has `more`
 *       state: (state, error) => {},                // "connecting", "open", "doubtful" or "lost": it reconnects by
 *                                                   // itself; "ended", with an error: this room does not exist
 *     }, browser);
 *     const answer = await line.command("sit");     // { type: "ok", v } or { type: "error", code, message }
 *     await line.command("flip", { cell: 3 });      // commands of each game: `games[name].move(cell, state.view, {})`
 *     line.close();                                 // commands without an answer get { type: "error", code: "closed" }
 *
 * After a break it resumes after the last event it has delivered, and resends commands that got no answer. A room's
 * past:
 *
 *     const entries = await downloadLog("k3m7pq");  // in Node: downloadLog(code, 0, (path) => fetch(hub + path))
 *     const timeline = new Timeline("k3m7pq");
 *     for (const { event } of entries) timeline.add(event);
 *     timeline.at(17);                              // the state that a `welcome` at version 17 has
 *     await checkRoom({ code: "k3m7pq", entries, heads: [{ version, head }] });   // chain, commitments and decks
 */

export { RoomConnection } from "./net/connection.js";
export { browser, surroundings } from "./net/surroundings.js";
export { games } from "./games/list.js";
export { fold, isComputer, open } from "./games/room.js";
export { sentence } from "./games/sentences.js";
export { downloadLog, readLog } from "./net/room-log.js";
export { Timeline } from "./games/timeline.js";
export { pauseBetween, Playback, speedFor, SPEEDS } from "./games/playback.js";
export { checkRoom, headsOf } from "./games/check.js";
export { gameSeed, Words } from "./cryptography/random-words.js";
export { sha256 } from "./cryptography/sha256.js";
