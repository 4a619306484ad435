// @ts-check
import { switchTo } from "../store/account.js";
import { identity, logOfHub } from "../store/identity.js";
import { dropPlayer, savedPlayers } from "../store/saved-players.js";
import { isolated, text } from "../texts/texts.js";
import { confirmed } from "../views/confirm-dialog.js";
import { element } from "./elements.js";

/** @typedef {import("../store/saved-players.js").SavedPlayer} SavedPlayer */

/**
 * Wires the players saved in this browser, in the dialog "You": only a player's own button forgets it.
 * @param {import("./you.js").Surroundings} around
 * @returns {import("./you.js").Part}
 */
export function wireSavedPlayers({ attempt }) {
  const root = element("saved-players"), heading = element("saved-title"), problem = element("saved-problem");
  const forget = async (/** @type {SavedPlayer} */ { name, token }) => {
    const question = text("saved.forget.question", { name }), detail = text("saved.forget.consequence", { name });
    if (!await confirmed(element("ask-dialog"), question, text("saved.forget"), detail)) return;
    dropPlayer(token);
    draw();
  };
  let shown = /** @type {SavedPlayer[]} */ ([]);
  const draw = () => {
    const before = [...root.children].findIndex((element) => element.contains(document.activeElement));
    const held = before < 0 ? null : shown[before].token;
    const button = [...root.children[before]?.querySelectorAll("button") ?? []].indexOf(document.activeElement);
    shown = savedPlayers().reverse();
    element("you-saved").hidden = shown.length === 0;
    root.replaceChildren(...shown.map((player) => item(player, {
      forget: () => forget(player), become: () => attempt(problem, () => switchTo(player)),
    })));
    if (!held) return;
    // The focus stays on its button; if that is gone, it moves to the one above.
    const again = root.children[shown.findIndex(({ token }) => token === held)]?.querySelectorAll("button")[button];
    (again ?? (shown.length > 0 ? heading : element("you-title"))).focus();
  };
  return {
    draw,
    hide() { problem.textContent = ""; },
  };
}

/**
 * @param {SavedPlayer} player
 * @param {{forget: () => void, become: () => void}} acts
 */
function item({ name, token, log, isSignedOut }, { forget, become }) {
  const [item, who, note] = ["li", "span", "small"].map((name) => document.createElement(name));
  const isElsewhere = log !== undefined && logOfHub() !== undefined && log !== logOfHub();
  who.className = "name";
  note.textContent = isElsewhere ? text("saved.elsewhere") : isSignedOut ? text("saved.signed-out") : "";
  who.append(isolated(name), " ", note);
  item.append(who);
  const add = (/** @type {string} */ words, /** @type {() => void} */ act) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "small" });
    button.textContent = words;
    button.addEventListener("click", act);
    item.append(button);
    return button;
  };
  if (!isElsewhere && identity()?.token !== token) add(text("code.replace-it", { name }), become);
  add(text("saved.forget"), forget).setAttribute("aria-label", `${text("saved.forget")}: ${isolated(name)}`);
  return item;
}
