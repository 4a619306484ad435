// @ts-check
import { identity } from "../store/identity.js";
import { refusal } from "../texts/texts.js";

/**
 * Sends the commands that the player came to a room with. A player who looks for an opponent and finds no seat here
 * moves to the next room.
 * @param {import("./errand.js").Errand} errand
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {{door: ReturnType<typeof import("./room-door.js").roomDoor>, promise: () => object}} page `promise` has the
 *   fields for `sit`
 */
export async function runErrand({ isQuick, tried, commands }, room, shell, { door, promise }) {
  if (commands.length === 0) return;
  const asked = Promise.all(commands.map(([type, fields]) => room.command(type, type === "sit" ? promise() : fields)));
  door.isSeating = true;
  const [seat, ...rest] = await asked;
  door.isSeating = false;
  // The room does not exist.
  if (!room.state) return;
  // A reloaded page sends nothing again; `quick` leaves the address once it is no longer needed.
  if (location.search.includes("quick")) keepAddress("?quick");
  else keepAddress("");
  const player = identity();
  if (seat.type === "error" && isQuick && player && room.state.you.player) {
    const { playQuick } = await import("./quick-play.js");
    try {
      return location.replace(await playQuick(player, room.state.room.game, { tried: [...tried, room.code] }));
    } catch (error) { shell.toast(error.message, "bad"); }
  }
  const refused = [seat, ...rest].find(({ type }) => type === "error");
  // A player whose name the hub does not know gets the form for a name, which says enough.
  if (refused?.type === "error" && refused.code !== "no-name") shell.toast(refusal(refused, room.hubTime), "bad");
}

const keepAddress = (/** @type {string} */ search) =>
  history.replaceState(history.state, "", location.pathname + search + location.hash);
