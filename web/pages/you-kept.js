// @ts-check
import { becomeKept } from "../store/account.js";
import { identity, logOfHub } from "../store/identity.js";
import { dropPlayer, keptPlayers } from "../store/kept-players.js";
import { isolated, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { element } from "./elements.js";

/** @typedef {import("../store/kept-players.js").KeptPlayer} KeptPlayer */

/**
 * Wires the players whom this browser keeps, in the dialog "You": each is forgotten only by its button.
 * @param {import("./you.js").Surroundings} around
 * @returns {import("./you.js").Part}
 */
export function wireKept({ attempt }) {
  const root = element("kept"), heading = element("kept-title"), problem = element("kept-problem");
  const forget = async (/** @type {KeptPlayer} */ { name, token }) => {
    const question = text("kept.forget.question", { name }), detail = text("kept.forget.consequence", { name });
    if (!await confirmed(element("ask-dialog"), question, text("kept.forget"), detail)) return;
    dropPlayer(token);
    draw();
    (element("you-kept").hidden ? element("you-title") : heading).focus();
  };
  const draw = () => {
    const kept = keptPlayers().reverse();
    element("you-kept").hidden = kept.length === 0;
    root.replaceChildren(...kept.map((player) => item(player, {
      forget: () => forget(player), become: () => attempt(problem, () => becomeKept(player)),
    })));
  };
  return {
    draw,
    hide() { problem.textContent = ""; },
  };
}

/**
 * @param {KeptPlayer} player
 * @param {{forget: () => void, become: () => void}} acts
 */
function item({ name, token, log, isSignedOut }, { forget, become }) {
  const item = document.createElement("li"), who = document.createElement("span"), note = document.createElement("small");
  const isElsewhere = log !== undefined && logOfHub() !== undefined && log !== logOfHub();
  who.className = "name";
  note.textContent = isElsewhere ? text("kept.elsewhere") : isSignedOut ? text("kept.signed-out") : "";
  who.append(isolated(name), " ", note);
  item.append(who);
  const add = (/** @type {string} */ words, /** @type {() => void} */ act) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "small" });
    button.textContent = words;
    button.setAttribute("aria-label", `${words}: ${isolated(name)}`);
    button.addEventListener("click", act);
    item.append(button);
  };
  if (!isElsewhere && identity()?.token !== token) add(text("line.try-again"), become);
  add(text("kept.forget"), forget);
  return item;
}
