// @ts-check
import { chosen, fieldNames, fittingLevel } from "../games/options.js";
import { games } from "../games/list.js";
import { gameFields } from "../views/game-fields.js";
import { levelText } from "../views/names.js";
import { element, gameTemplates } from "./elements.js";

/**
 * Wires the dialog for what is played alone and against a computer, where nobody else has a say in it: `open` shows it
 * for a game, `choice` gives what is chosen for one.
 */
export function setUp() {
  const dialog = element("set-up-dialog"), levels = { name: "level", label: "option.level" };
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates(), (game) =>
    [{ ...levels, choices: () => games[game].levels.map((value) => ({ value, label: levelText(game, value) })) }]);
  /** @type {Map<string, Record<string, string>>} */
  const kept = new Map();
  const choice = (/** @type {string} */ game) => kept.get(game) ?? { ...chosen(game), level: fittingLevel(game) };
  dialog.addEventListener("close", () => {
    const changed = fields.read();
    if (dialog.returnValue === "change") kept.set(changed.game, changed);
  });
  return {
    choice,
    /** @param {string} game */
    open(game) {
      const names = ["level", ...fieldNames(game).filter((name) => name !== "seats")];
      fields.draw(game, { choice: choice(game), names });
      dialog.returnValue = "";
      dialog.showModal();
    },
  };
}
