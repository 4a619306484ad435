// @ts-check

/**
 * What a player wants in a room, from the query of its address. The room's page sends it together with `hello`, so the
 * page before needs no line to the room.
 *
 * - `sit`: a seat
 * - `start`: a game alone, at once
 * - `computer=LEVEL`: a game against a computer of this level, at once
 * - `quick`: an opponent; without a free seat the page tries another room. `tried=CODE,CODE` lists those already tried
 * @typedef {{isQuick: boolean, tried: string[], commands: [type: string, fields?: object][]}} Errand
 */

/**
 * @param {string} search of the address
 * @returns {Errand}
 */
export function errandIn(search) {
  const asked = new URLSearchParams(search), level = asked.get("computer");
  /** @type {Errand["commands"]} */
  const commands = [];
  if (asked.has("sit") || asked.has("start") || level) commands.push(["sit"]);
  if (level) commands.push(["bot", { seat: 1, level }]);
  if (asked.has("start") || level) commands.push(["start"]);
  return { isQuick: asked.has("quick"), tried: asked.get("tried")?.split(",") ?? [], commands };
}

export const TO_SIT = "?sit";
export const TO_START = "?start";
export const TO_WAIT = "?quick";

/** @param {string} level */
export const toPlayComputer = (level) => `?computer=${encodeURIComponent(level)}`;

/** @param {string[]} tried codes of rooms that had no free seat */
export const toSitQuick = (tried = []) => `?quick&sit${tried.length > 0 ? `&tried=${tried.join(",")}` : ""}`;
