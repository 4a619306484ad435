// @ts-check
import { describe } from "../games/options.js";
import { games } from "../games/list.js";
import { takeName } from "../store/account.js";
import { identity } from "../store/identity.js";
import { proposeName } from "../texts/proposed-name.js";
import { text } from "../texts/texts.js";
import { show, write } from "../views/element-changes.js";
import { nameOf } from "../views/names.js";
import { maySit } from "../views/status-line.js";
import { askCode } from "./code-dialog.js";
import { element, input } from "./elements.js";
import { askName } from "./name-dialog.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * The way to a room's table: the player who opens the room sits at once. Anyone who follows its link is invited, and
 * sits with one press or chooses to watch. `sit` is the button for those who did not sit down then.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {() => Promise<unknown>} sitDown
 * @param {() => void} draw draws the whole room
 */
export function roomDoor(room, shell, sitDown, draw) {
  const form = element("name-form"), field = input(form, "name"), problem = element("door-problem");
  let watches = false, isBusy = false, isSeating = false;
  const propose = () => {
    field.value = proposeName();
    write(problem, "");
  };
  field.value = identity()?.name ?? proposeName();
  form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    // A second press while the name is being taken counts as the first.
    if (isBusy) return;
    isBusy = true;
    write(problem, "");
    try {
      const before = identity();
      const { token } = before && room.state.you.player ? before : await takeName(field.value);
      // The room follows a change of player. Its earlier hello was refused.
      if (before?.token === token && !room.state.you.player) room.greet(token);
      sitDown();
    } catch (error) {
      write(problem, error.message);
      field.focus();
    }
    isBusy = false;
  });
  element("door-other").addEventListener("click", propose);
  element("name-form-code").addEventListener("click", () => askCode(shell.toast));
  element("just-watch").addEventListener("click", () => {
    watches = true;
    draw();
  });
  const isShown = (/** @type {RoomState} */ state) =>
    state.room.status === "waiting" && maySit(state) && !state.you.isHost && !watches && !isSeating;
  return {
    isShown,
    /** @param {RoomState} state */
    draw(state) {
      const isInvited = isShown(state), { room: { host, game, options }, you } = state;
      show(element("door"), isInvited);
      element("room").dataset.invited = String(isInvited);
      if (!isInvited) return;
      const [first] = describe(game, options), title = text(games[game]?.title ?? game);
      const what = first === title ? title : text("door.what", { game: title, board: first });
      write(element("door-title"), text("door.invited", { name: nameOf(state, host), what }));
      show(element("door-name"), !you.player);
      show(element("name-form-code"), !you.player);
    },
    /**
     * A player who has just opened the room wants to play in it; one who gives up a seat wants to watch.
     * @param {import("../games/room.js").HubMessage} message
     */
    async hear(message) {
      const { version, you } = room.state;
      if (message.type === "seat-freed" && message.player === you.player) watches = true;
      if (message.type !== "welcome" || version > 1 || !you.isHost || isSeating) return;
      isSeating = true;
      await sitDown();
      isSeating = false;
      draw();
    },
    /** Whether the page has asked for a seat without a press. */
    get isSeating() { return isSeating; },
    set isSeating(isAsked) {
      isSeating = isAsked;
      draw();
    },
    async sit() {
      const { room: { status }, you } = room.state;
      if (status === "waiting" && !you.player) {
        watches = false;
        draw();
        return field.focus();
      }
      if (you.player || await askName(shell.toast)) sitDown();
    },
  };
}
