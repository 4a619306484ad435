// @ts-check
import { changesOf } from "../games/options.js";
import { text } from "../texts.js";
import { ask } from "../views/ask.js";
import { gameFields } from "../views/game-fields.js";
import { nameOf } from "../views/names.js";
import { peopleList } from "../views/people-list.js";
import { seatList } from "../views/seat-list.js";
import { element, gameTemplates } from "./elements.js";

/**
 * The host's dialogs: `openSeats` for seats, people and the room's end, which `draw` draws while it is open, and
 * `openChange` for the next game.
 * @param {{state: any}} page
 * @param {(type: string, fields?: object) => Promise<void>} command
 */
export function wireHost(page, command) {
  const dialog = element("seats-dialog");
  const drawSeats = seatList(element("seats-list"), command);
  const drawPeople = peopleList(element("people-list"), async (type, fields) => {
    const name = nameOf(page.state, fields.player);
    const isMeant = type !== "ban" || !fields.on
      || await ask(element("ask-dialog"), text("host.ban.question", { name }), text("host.ban"));
    if (isMeant) command(type, fields);
  });
  const draw = () => {
    drawSeats(page.state);
    drawPeople(page.state);
  };
  element("close-room").addEventListener("click", async () => {
    if (!await ask(element("ask-dialog"), text("host.close.question"), text("host.close"))) return;
    dialog.close();
    command("close");
  });
  return {
    openChange: wireChanging(page, command),
    openSeats() {
      draw();
      dialog.showModal();
    },
    draw() { if (dialog.open) draw(); },
  };
}

function wireChanging(page, command) {
  const dialog = element("change-dialog");
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates());
  let before = fields.read();
  dialog.addEventListener("close", () => {
    const options = changesOf(before, fields.read());
    if (dialog.returnValue === "change" && Object.keys(options).length > 0) command("options", { options });
  });
  return () => {
    const { game, options, seats } = page.state.room;
    fields.draw(game, { seats: seats.length, ...options });
    before = fields.read();
    dialog.returnValue = "";
    dialog.showModal();
  };
}
