// @ts-check
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { LANGUAGES } from "../../../web/texts/texts.js";

const page = readFileSync(new URL("../../../web/index.html", import.meta.url), "utf8").replace(/\s+/g, " ");

/** All of the page's texts in a language, by key; in English with the words of its markup. */
async function said(/** @type {string} */ language) {
  const folders = ["texts", ...Object.keys(games).map((game) => `games/${game}/texts`)];
  const files = folders.map((folder) => `${folder}/${language}`);
  if (language === "en") {
    files.push(...["account", "check", "host"].map((part) => `texts/${part}.en`));
    files.push(...folders.slice(1).flatMap((folder) => readdirSync(new URL(`../../../web/${folder}`, import.meta.url))
      .filter((name) => name.endsWith(".en.js")).map((name) => `${folder}/${name.slice(0, -3)}`)));
  }
  const tables = await Promise.all(files.map(async (file) => (await import(`../../../web/${file}.js`))[language]));
  return /** @type {[string, string][]} */ (Object.entries(Object.assign({}, ...tables)));
}
/** The text between the markup's tags, in its labels and in its description. */
const marked = [...page.matchAll(/>([^<>]*[a-z][^<>]*)</gi), ...page.matchAll(/(?:aria-label|content)="([^"]*)"/g)]
  .map(([, words]) => words.trim());
/** The keys of labels: buttons, headings, fields and the like. */
const names = [...page.matchAll(/<(?:button|summary|legend|h[1-6]|a)\b[^>]* data-text="([^"]+)"/g),
  ...page.matchAll(/<label\b[^>]*><(?:span|input)[^>]*data-text="([^"]+)"/g), ...page.matchAll(/data-text-label="([^"]+)"/g)]
  .map(([, key]) => key);

describe("The page's words", () => {
  const stilted = new RegExp("\\b(whoever|no ?body|some ?body|every ?body|anew|once more|any more|by now|just now|meanwhile"
    + "|aslant|bears?|told of|hub|chairs?|cannot|(is|are|was|were|do|does|did|has|have) not)\\b", "i");

  test("are those of a native speaker, who calls the hub a server and a seat a seat", async () => {
    const all = [...(await said("en")).map(([, words]) => words), ...marked];
    assert.ok(all.length > 400 && all.includes("Join") && all.some((words) => words.startsWith("Bonus: one point")));
    assert.deepEqual(all.filter((words) => stilted.test(words)), []);
  });

  const signs = { en: /'|"|\.\.\.| …/, de: /'|"|\.\.\.|[^ ]…/, es: /'|"|\.\.\.| …/, zh: /'|"|\.\.\.|(?<!…)…(?!…)/ };

  for (const language of Object.keys(LANGUAGES)) {
    test(`have typographic quotes and dashes in ${language}, not those of a typewriter`, async () => {
      const words = (await said(language)).map(([, one]) => one);
      assert.deepEqual([...words, ...(language === "en" ? marked : [])].filter((one) => signs[language].test(one)), []);
    });

    test(`end without a full stop if they are a label in ${language}`, async () => {
      const table = Object.fromEntries(await said(language));
      const labels = names.filter((key) => language === "en" || key in table);
      assert.ok(labels.length > 60);
      const written = language === "en"
        ? [...page.matchAll(/ data-text(?:-label)?="([^"]+)"[^>]*>([^<]*)</g)].filter(([, key]) => names.includes(key))
          .map(([, , words]) => words.trim())
        : labels.map((key) => table[key]);
      assert.deepEqual(written.filter((words) => /[.。]$/.test(words)), []);
    });
  }
});
