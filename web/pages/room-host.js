// @ts-check
import { changesOf } from "../games/options.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { gameFields } from "../views/game-fields.js";
import { nameOf } from "../views/names.js";
import { peopleList } from "../views/people-list.js";
import { seatList } from "../views/seat-list.js";
import { element, gameTemplates } from "./elements.js";

/** @typedef {(type: string, fields?: object) => void} Command */

/** @typedef {import("../games/room.js").Room} Room */

/**
 * The host's dialogs: `openSeats` for seats, people and the room's end, which `draw` draws while it is open, and
 * `openChange` for the next game.
 * @param {import("./room-session.js").RoomSession} room
 * @param {(type: string, fields?: object) => Promise<void>} command
 */
export function wireHost(room, command) {
  const dialog = element("seats-dialog");
  const drawSeats = seatList(element("seats-list"), command);
  const drawPeople = peopleList(element("people-list"), async (type, fields) => {
    const name = nameOf(room.state, fields.player);
    const isMeant = type !== "ban" || !fields.on
      || await confirmed(element("ask-dialog"), text("host.ban.question", { name }), text("host.ban"));
    if (isMeant) command(type, fields);
  });
  const draw = () => {
    drawSeats(room.state);
    drawPeople(room.state);
  };
  element("close-room").addEventListener("click", async () => {
    if (!await confirmed(element("ask-dialog"), text("host.close.question"), text("host.close"))) return;
    dialog.close();
    command("close");
  });
  return {
    openChange: wireChanging(room, command),
    openSeats() {
      draw();
      dialog.showModal();
    },
    draw() { if (dialog.open) draw(); },
  };
}

function wireChanging(/** @type {import("./room-session.js").RoomSession} */ room, /** @type {Command} */ command) {
  const dialog = element("change-dialog");
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates());
  let before = fields.read();
  dialog.addEventListener("close", () => {
    const options = changesOf(before, fields.read());
    if (dialog.returnValue === "change" && Object.keys(options).length > 0) command("options", { options });
  });
  return () => {
    const { game, options, seats } = room.state.room;
    fields.draw(game, { seats: seats.length, ...options });
    before = fields.read();
    dialog.returnValue = "";
    dialog.showModal();
  };
}
