// @ts-check
import { gameOf } from "../games/list.js";
import { changesOf, chosen, labelOf } from "../games/options.js";
import { text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { gameFields } from "../views/game-fields.js";
import { levelText, nameOf } from "../views/names.js";
import { peopleList } from "../views/people-list.js";
import { seatList } from "../views/seat-list.js";
import { element, gameTemplates } from "./elements.js";
// Adds its sentences.
import "../texts/host.en.js";

/** @typedef {(type: string, fields?: object) => void} Command */

/** @typedef {import("../games/room.js").Room} Room */

/**
 * Who can find the room.
 * @type {import("../games/options.js").Field}
 */
const VISIBILITY = {
  name: "visibility", label: "visibility.label",
  choices: () => ["unlisted", "public", "seeking"].map((value) => ({ value, label: text(`visibility.${value}`) })),
};

/**
 * The host's dialogs: `openSeats` for seats, people and closing the room, which `draw` updates while it is open;
 * `openChange` for the game and its options; and `openLevels` for a computer on a free seat.
 * @param {import("./room-session.js").RoomSession} room
 * @param {Command} command
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
    openLevels: wireLevels(room, command),
    openSeats() {
      draw();
      dialog.showModal();
    },
    draw() { if (dialog.open) draw(); },
  };
}

/**
 * The dialog for the game and its options: all of it, or only the fields with the given names.
 * @param {import("./room-session.js").RoomSession} room
 * @param {Command} command
 */
function wireChanging(room, command) {
  const dialog = element("change-dialog"), root = dialog.querySelector(".game-fields");
  const fields = gameFields(root, gameTemplates(), () => [VISIBILITY]);
  let before = /** @type {Record<string, string>} */ ({});
  // A button that submits nothing: Enter submits the form.
  element("change-cancel").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "change") return;
    /** @type {Record<string, string>} */
    const choice = fields.read(), options = changesOf(before, choice), { visibility } = choice;
    if (Object.keys(options).length > 0) command("options", { options });
    if (visibility !== room.state.room.visibility) command("visibility", { visibility });
  });
  // For a single field, a press is enough. Arrow keys, which press nothing, move through it until it is submitted.
  root.addEventListener("click", (/** @type {MouseEvent} */ { target, detail }) => {
    if (detail === 0 || !(target instanceof HTMLInputElement) || root.dataset.only !== "true") return;
    // The pressed choice may need more: a custom board needs its sides.
    fields.redraw();
    if (!root.querySelector("[data-option]:not([hidden]) select")) dialog.close("change");
  });
  return (/** @type {string[]} */ names = []) => {
    const { game, options, seats, visibility } = room.state.room, all = { seats: seats.length, ...options };
    fields.draw(game, { options: all, choice: { ...chosen(game, all), visibility }, names });
    // Between games, the dialog shows all fields, for the next game.
    root.querySelector(".more").hidden = names.length === 0;
    root.querySelector(".remark").hidden = names.includes(VISIBILITY.name);
    before = fields.read();
    const [label] = names.map((name) => (name === VISIBILITY.name ? text(VISIBILITY.label) : labelOf(game, name)));
    element("change-title").textContent = label ?? text("change.title");
    dialog.returnValue = "";
    dialog.showModal();
  };
}

/** The dialog for the strength of a computer that takes a seat. */
function wireLevels(/** @type {import("./room-session.js").RoomSession} */ room, /** @type {Command} */ command) {
  const dialog = element("levels-dialog"), root = element("levels");
  let seat = 0;
  dialog.addEventListener("close", () => {
    if (dialog.returnValue) command("bot", { seat, level: dialog.returnValue });
  });
  return (/** @type {number} */ free) => {
    const { game } = room.state.room;
    seat = free;
    root.replaceChildren(...gameOf(game).levels.map((level) =>
      Object.assign(document.createElement("button"), { value: level, textContent: levelText(game, level) })));
    dialog.returnValue = "";
    dialog.showModal();
  };
}
