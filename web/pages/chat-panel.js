// @ts-check
import { hiddenPlayers, hidePlayer } from "../store/hidden-players.js";
import { refusal, text } from "../texts/texts.js";
import { chatLines, REACTIONS } from "../views/chat.js";
import { isComposing } from "../views/composing.js";
import { nameOf } from "../views/names.js";
import { elementOf } from "../views/players.js";
import { floatReaction } from "../views/reaction.js";
import { element, input } from "./elements.js";

/** @typedef {import("../games/room.js").Room} Room */
/** @typedef {import("../games/room.js").RoomState} RoomState */

/** Unread lines are counted up to this; more are "99+". */
const COUNT_LIMIT = 99;

/**
 * `say` makes a screen reader say something, `draw` draws the room.
 * @typedef {{say: (sentence: string) => void, draw: () => void}} Surroundings
 */

/**
 * A room's chat and reactions: a panel beside the board, or on a phone a sheet over it.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {Surroundings} around
 */
export function chatPanel(room, shell, { say, draw }) {
  const panel = element("chat"), opener = element("chat-open"), form = element("chat-form");
  let unread = 0;
  const drawLines = chatLines({ lines: element("chat-lines"), hushed: element("chat-hushed") }, (player, isOn) => {
    hidePlayer(player, isOn);
    draw();
    input(form, "text").focus();
  });
  const open = (/** @type {boolean} */ isOpen) => {
    panel.hidden = !isOpen;
    element("room").dataset.chat = String(isOpen);
    opener.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) unread = 0;
    draw();
    if (!isOpen) return opener.focus();
    element("chat-lines").scrollTop = element("chat-lines").scrollHeight;
    (form.hidden ? element("chat-close") : input(form, "text")).focus();
  };
  element("chat-close").addEventListener("click", () => open(false));
  panel.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || isComposing(event)) return;
    // One press closes one thing.
    event.preventDefault();
    open(false);
  });
  // Beside the board it covers nothing.
  shell.back.sheet({
    isOpen: () => !panel.hidden && getComputedStyle(panel).position === "fixed", close: () => open(false),
  });
  wireForm(room, shell, form);
  wireReactions(room, shell);
  return {
    toggle: () => open(panel.hidden),
    /**
     * Counts a message that arrives while the panel is closed, and announces it.
     * @param {import("../net/messages.js").HubChat | import("../net/messages.js").HubReaction} message
     */
    hear(message) {
      if (hiddenPlayers().includes(message.from)) return;
      const name = nameOf(room.state, message.from), isOwn = message.from === room.state.you.player;
      if (message.type === "reaction") {
        const place = elementOf(element("players"), message.from)?.querySelector(".avatar");
        floatReaction(place ?? opener, message.emoji, place ? undefined : name);
        if (!isOwn) say(text("chat.reacts", { name, emoji: message.emoji }));
      } else if (panel.hidden && !isOwn) {
        unread += 1;
        say(text("chat.says", { name, text: message.text }));
      }
    },
    draw(/** @type {RoomState} */ state) {
      drawLines(state, hiddenPlayers());
      const { you, room } = state;
      const barred = !you.player ? text("chat.name-first") : room.banned?.includes(you.player) ? text("error.banned")
        : room.muted?.includes(you.player) ? text("error.muted") : room.status === "closed" ? text("now.closed") : "";
      form.hidden = element("reactions").hidden = barred !== "";
      element("chat-barred").hidden = barred === "";
      element("chat-barred").textContent = barred;
      element("chat-empty").hidden = state.chat.length > 0;
      const count = element("chat-count");
      count.hidden = unread === 0;
      count.textContent = unread > COUNT_LIMIT ? `${COUNT_LIMIT}+` : String(unread);
      opener.setAttribute("aria-label", unread > 0 ? text("chat.unread", { count: unread }) : text("chat.title"));
    },
  };
}

/**
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {HTMLFormElement} form
 */
function wireForm(room, shell, form) {
  const field = input(form, "text");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = field.value.trim();
    if (!said) return;
    field.value = "";
    const answer = await room.command("say", { text: said });
    if (answer.type !== "error") return;
    shell.toast(refusal(answer, room.hubTime), "bad");
    // Give the words back, unless the player has already typed something else.
    if (field.value === "") field.value = said;
  });
}

/**
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 */
function wireReactions(room, shell) {
  element("reactions").append(...REACTIONS.map((emoji) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = emoji;
    button.setAttribute("aria-label", text("chat.react", { emoji }));
    button.addEventListener("click", async () => {
      const answer = await room.command("react", { emoji });
      if (answer.type === "error") shell.toast(refusal(answer, room.hubTime), "bad");
    });
    return button;
  }));
}
