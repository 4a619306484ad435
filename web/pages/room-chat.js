// @ts-check
import { styled } from "../views/style-sheets.js";
import { element } from "./elements.js";

/** @typedef {import("../games/room.js").RoomState} RoomState */

/**
 * Wires a room's chat and reactions, which load when someone writes or opens them.
 * @param {import("./room-session.js").RoomSession} room
 * @param {import("./elements.js").Shell} shell
 * @param {import("./chat-panel.js").Surroundings} around
 */
export function wireChat(room, shell, around) {
  const chat = shell.lazyPart(async () => {
    const [{ chatPanel }] = await Promise.all([import("./chat-panel.js"), styled("/styles/chat.css")]);
    return () => chatPanel(room, shell, around);
  });
  const act = (/** @type {{toggle: () => void}} */ panel) => panel.toggle(), toggle = () => chat.use(act);
  element("chat-open").addEventListener("click", toggle);
  return {
    toggle,
    /**
     * Counts a message that arrives while the panel is closed, and announces it.
     * @param {import("../games/room.js").HubMessage} message
     */
    hear(message) {
      if (message.type !== "chat" && message.type !== "reaction") return;
      chat.use((panel) => {
        panel.hear(message);
        panel.draw(room.state);
      });
    },
    draw(/** @type {RoomState} */ state) { chat.part?.draw(state); },
  };
}
