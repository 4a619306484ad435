// @ts-check

/** The hub is given so long to answer, in ms; then the line is tried without. */
const PATIENCE = 3_000;
/** What the hub says of a room that does not exist: a status alone may be a proxy's. */
const UNKNOWN_ROOM = "no-such-room";

/**
 * Asks by HTTP why a room's handshake was refused, which a browser does not say. Calls `missing`, with the hub's words,
 * if there is no such room, and `there` in all other cases. What it returns gives the question up.
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
