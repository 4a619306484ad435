// @ts-check
import { Nonces } from "../store/nonces.js";
import { text } from "../texts/texts.js";

/** Messages that a draw may go on with. */
const DRAWS = ["welcome", "resume", "dealing", "ready", "game-started"];

/**
 * This page's part in what is drawn in a room: promised with a seat, opened where the hub waits for it.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
export function shuffle(room, shell) {
  const nonces = new Nonces(room.code);
  return {
    /** What to say with `sit`; before anything is known of the room it may be one where nothing is drawn. */
    promise: () => (!room.state || room.state.room.commitment ? { commitment: nonces.commitment() } : {}),
    /**
     * Opens the nonce where it is waited for, and looks whether it is in the draw.
     * @param {import("../games/room.js").HubMessage} message
     */
    async hear(message) {
      const { room: { players = [], dealing, ...rest }, you } = room.state;
      if (!DRAWS.includes(message.type)) return;
      if (message.type === "welcome" && !rest.commitment && rest.status === "waiting") nonces.drop();
      // What everybody has seen is never promised again, whoever has heard that the hub took it.
      for (const { player, nonce } of [...players, ...(dealing?.seats ?? [])]) {
        if (nonce && player === you.player) nonces.opened({ nonce });
      }
      const ready = nonces.answer({ ...rest, dealing }, you.seat);
      if (ready) await room.command("ready", ready);
      if (message.type !== "game-started") return;
      const own = message.seats.find(({ seat, player }) => seat === you.seat && player === you.player);
      if (own?.commitment && !own.nonce) shell.toast(text("draw.missing"), "bad");
    },
  };
}
