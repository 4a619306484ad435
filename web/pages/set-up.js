// @ts-check
import { fieldNames } from "../games/options.js";
import { games } from "../games/list.js";
import { gameFields } from "../views/game-fields.js";
import { levelText } from "../views/names.js";
import { element, gameTemplates } from "./elements.js";

/**
 * Wires the dialog for what is played alone and against a computer, where nobody else has a say in it: `open` shows it
 * for a game, with `choice` at first; `choice` gives what was chosen for one, if anything was.
 */
export function setUp() {
  const dialog = element("set-up-dialog"), levels = { name: "level", label: "option.level" };
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates(), (game) =>
    [{ ...levels, choices: () => games[game].levels.map((value) => ({ value, label: levelText(game, value) })) }]);
  /** @type {Map<string, Record<string, string>>} */
  const kept = new Map();
  dialog.addEventListener("close", () => {
    const changed = fields.read();
    if (dialog.returnValue === "change") kept.set(changed.game, changed);
  });
  element("set-up-cancel").addEventListener("click", () => dialog.close());
  return {
    choice: (/** @type {string} */ game) => kept.get(game),
    /**
     * @param {string} game
     * @param {Record<string, string>} choice
     */
    open(game, choice) {
      const names = ["level", ...fieldNames(game).filter((name) => name !== "seats")];
      fields.draw(game, { choice, names });
      dialog.returnValue = "";
      dialog.showModal();
    },
  };
}
