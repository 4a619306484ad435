// @ts-check
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { LANGUAGES, speak } from "../../../web/texts/texts.js";
import { levelText } from "../../../web/views/names.js";

/** All names of levels, weakest first. */
const FAMILIES = {
  en: ["Very easy", "Easy", "Medium", "Hard", "Expert"], de: ["Sehr leicht", "Leicht", "Mittel", "Schwer", "Profi"],
  es: ["Muy fácil", "Fácil", "Medio", "Difícil", "Experto"], zh: ["入门", "简单", "中等", "困难", "专家"],
};

describe("The levels of computer players", () => {
  for (const [game, { levels }] of Object.entries(games)) {
    for (const language of /** @type {(keyof typeof FAMILIES)[]} */ (Object.keys(LANGUAGES))) {
      test(`of ${game} have the names of all games in ${language}, in the same order`, async () => {
        await speak(language);
        const names = levels.map((level) => levelText(game, level));
        await speak("en");
        const places = names.map((name) => FAMILIES[language].indexOf(name));
        assert.ok(!places.includes(-1), String(names));
        assert.deepEqual(places, [...new Set(places)].sort());
      });
    }
  }

  test("are medium in the middle of a game that has a middle", () => {
    for (const [game, { levels }] of Object.entries(games)) {
      if (levels.length % 2 === 1) assert.equal(levelText(game, levels[(levels.length - 1) / 2]), "Medium");
    }
  });

  test("that a page does not know are shown as they are", () => assert.equal(levelText("memory", "psychic"), "psychic"));
});
