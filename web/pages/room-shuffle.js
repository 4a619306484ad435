// @ts-check
import { Nonces } from "../store/nonces.js";
import { text } from "../texts/texts.js";

/** Messages after which a draw may continue. */
const DRAWS = ["welcome", "resume", "dealing", "ready", "game-started"];

/**
 * This page's part in the room's draws: it commits to a nonce with `sit`, and opens it when the hub waits for it.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
export function shuffle(room, shell) {
  const nonces = new Nonces(room.code);
  return {
    /** The fields for `sit`. Before the room is known, it may be one without draws. */
    promise: () => (!room.state || room.state.room.commitment ? { commitment: nonces.commitment() } : {}),
    /**
     * Opens the nonce if the hub waits for it, and checks whether it is in the draw.
     * @param {import("../games/room.js").HubMessage} message
     */
    async hear(message) {
      const { room: { players = [], dealing, ...rest }, you } = room.state;
      if (!DRAWS.includes(message.type)) return;
      if (message.type === "welcome" && !rest.commitment && rest.status === "waiting") nonces.drop();
      // A nonce that everyone has seen is never used again, even if this page missed that the hub took it.
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
