// @ts-check
import { text } from "../texts.js";
import { ask } from "../views/ask.js";
import { nameOf } from "../views/names.js";
import { peopleList } from "../views/people-list.js";
import { seatList } from "../views/seat-list.js";
import { element } from "./elements.js";

/**
 * The host's dialog: seats, people, the room's end.
 * @param {{state: any}} page
 * @param {(type: string, fields?: object) => Promise<void>} command
 * @returns {() => void} draws what the dialog shows, while it is open
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
  element("seats").addEventListener("click", () => {
    draw();
    dialog.showModal();
  });
  element("close-room").addEventListener("click", async () => {
    if (!await ask(element("ask-dialog"), text("host.close.question"), text("host.close"))) return;
    dialog.close();
    command("close");
  });
  return () => { if (dialog.open) draw(); };
}

/**
 * Tells whoever looks what the host did to them.
 * @param {any} message
 * @param {{you: any}} state
 * @param {(text: string, kind?: string) => void} toast
 */
export function tellRole({ type, player, on }, { you }, toast) {
  if (player === undefined || player !== you.player) return;
  if (type === "player-banned") toast(text(on ? "error.banned" : "host.unbanned.you"), on ? "bad" : "");
  if (type === "player-muted") toast(text(on ? "error.muted" : "host.unmuted.you"), on ? "bad" : "");
  if (type === "host-changed") toast(text("host.changed.you"));
}
