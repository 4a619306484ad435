// @ts-check
import { element, styled } from "./elements.js";
import { onDemand } from "./on-demand.js";

/**
 * Wires a room's chat and reactions, which come when somebody says something or opens them.
 * @param {any} page what `chatPanel` asks for
 */
export function wireChat(page) {
  const chat = onDemand(async () => {
    const [{ chatPanel }] = await Promise.all([import("./chat-panel.js"), styled("/styles/chat.css")]);
    return () => chatPanel(page);
  }, page.toast);
  const act = (panel) => panel.toggle(), toggle = () => chat.use(act);
  element("chat-open").addEventListener("click", toggle);
  return {
    toggle,
    /** Counts what came while nobody looked, and says it. @param {any} message */
    hear(message) {
      if (!["chat", "reaction"].includes(message.type)) return;
      chat.use((panel) => {
        panel.hear(message);
        panel.draw(page.state);
      });
    },
    draw(state) { chat.part?.draw(state); },
  };
}
