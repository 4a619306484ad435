// @ts-check
import { fieldNames } from "../games/options.js";
import { games } from "../games/list.js";
import { gameFields } from "../views/game-fields.js";
import { levelText } from "../views/names.js";
import { element, gameTemplates } from "./elements.js";

/**
 * Wires the dialog for a game's options, for every way to play: `open` shows it for a game, with `choice` at first;
 * `chosen` gets the result.
 */
export function setUp() {
  const dialog = element("set-up-dialog"), levels = { name: "level", label: "option.level" };
  const fields = gameFields(dialog.querySelector(".game-fields"), gameTemplates(), (game) =>
    [{ ...levels, choices: () => games[game].levels.map((value) => ({ value, label: levelText(game, value) })) }]);
  let use = (/** @type {Record<string, string>} */ _) => {};
  dialog.addEventListener("close", () => { if (dialog.returnValue === "change") use(fields.read()); });
  element("set-up-cancel").addEventListener("click", () => dialog.close());
  return {
    /**
     * @param {string} game
     * @param {Record<string, string>} choice
     * @param {(choice: Record<string, string>) => void} chosen
     */
    open(game, choice, chosen) {
      use = chosen;
      const names = ["level", ...fieldNames(game).filter((name) => name !== "seats")];
      fields.draw(game, { choice, names });
      dialog.returnValue = "";
      dialog.showModal();
    },
  };
}
