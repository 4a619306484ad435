// @ts-check
import { chosen, fieldNames, fittingLevel } from "../games/options.js";
import { games } from "../games/list.js";
import { gameFields } from "../views/game-fields.js";
import { levelText } from "../views/names.js";
import { element, gameTemplates } from "./elements.js";

/**
 * Wires the dialog for what is played alone and against a computer, where nobody else has a say in it. The function it
 * returns gives what is chosen for the game that `game` names then.
 * @param {() => string} game
 */
export function setUp(game) {
  const dialog = element("set-up-dialog"), levels = { name: "level", label: "option.level" };
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates(), (game) =>
    [{ ...levels, choices: () => games[game].levels.map((value) => ({ value, label: levelText(game, value) })) }]);
  /** @type {Map<string, Record<string, string>>} */
  const kept = new Map();
  // Nobody waits for who plays alone or against a computer.
  const choice = () => kept.get(game()) ?? { ...chosen(game()), turnTime: "0", level: fittingLevel(game()) };
  element("set-up").addEventListener("click", () => {
    const names = ["level", ...fieldNames(game()).filter((name) => name !== "seats")];
    fields.draw(game(), { choice: choice(), names });
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", () => { if (dialog.returnValue === "change") kept.set(game(), fields.read()); });
  return choice;
}
