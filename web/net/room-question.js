// @ts-check

/** How long the hub may take to answer, in ms; then the line is tried without an answer. */
const PATIENCE = 3_000;
/** The hub's code for a room that does not exist: a status alone may come from a proxy. */
const UNKNOWN_ROOM = "no-such-room";

/**
 * Asks by HTTP why a room's handshake was refused, which a browser does not say. Calls `missing` with the hub's error
 * if the room does not exist, and `there` in all other cases. Call the returned function to cancel.
 * @param {import("./surroundings.js").Surroundings} world
 * @param {string} url of the room's WebSocket
 * @param {{there: () => void, missing: (error: import("./messages.js").HubError) => void}} on
 */
export function askForRoom(world, url, { there, missing }) {
  const { origin, pathname } = new URL(url.replace(/^ws/, "http"));
  const timer = world.later(there, PATIENCE);
  const giveUp = world.problem(origin + pathname.replace("/ws/", "/api/"), (problem) => {
    world.cancel(timer);
    if (problem?.code !== UNKNOWN_ROOM) return there();
    missing({ type: "error", code: problem.code, message: problem.detail });
  });
  return () => {
    world.cancel(timer);
    giveUp();
  };
}
