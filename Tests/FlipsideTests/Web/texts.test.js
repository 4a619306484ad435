// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { nameOfFace, sentence } from "../../../web/games/memory.js";
import { about, firstSpoken, LANGUAGES, speak, text } from "../../../web/texts.js";
import { en } from "../../../web/texts/en.js";

const web = new URL("../../../web/", import.meta.url);
const read = (path) => readFileSync(new URL(path, web), "utf8");
const sources = readdirSync(web, { recursive: true }).map(String)
  .filter((path) => path.endsWith(".js") && !path.startsWith("texts/"));
const values = (sentence) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();
/** Without the form of a plural. */
const base = (key) => key.replace(/\.(zero|one|two|few|many)$/, "");

describe("The page's sentences", () => {
  for (const name of Object.keys(LANGUAGES)) {
    test(`are all there in ${name}, with the same values`, async () => {
      const table = (await import(`../../../web/texts/${name}.js`))[name];
      assert.deepEqual([...new Set(Object.keys(table).map(base))].sort(), [...new Set(Object.keys(en).map(base))].sort());
      for (const [key, sentence] of Object.entries(table)) {
        const form = key in en ? key : base(key);
        if (key === base(key)) assert.deepEqual(values(sentence), values(en[form]), key);
        assert.equal(sentence === "", en[form] === "", `${key} is empty in one language`);
      }
    });
  }

  test("the markup says in English what the table says", () => {
    const page = read("index.html").replace(/\s+/g, " ").replaceAll("&amp;", "&");
    const written = [...page.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g)].map(([, key, said]) => [key, said.trim()]);
    const labels = [...page.matchAll(/aria-label="([^"]+)" data-text-label="([^"]+)"/g)].map(([, said, key]) => [key, said]);
    assert.ok(written.length > 50 && labels.length >= page.match(/data-text-label/g).length);
    for (const [key, said] of [...written, ...labels]) assert.equal(said, en[key], key);
  });

  test("every key that the page asks for is there", () => {
    for (const path of sources) {
      for (const [, key] of read(path).matchAll(/\b(?:text|about)\(\s*"([^"]+)"/g)) {
        assert.ok(key in en, `${path} asks for ${key}`);
      }
    }
  });

  test("none is left that nobody asks for", () => {
    const all = sources.map(read).join("") + read("index.html");
    for (const key of Object.keys(en)) {
      const plain = base(key).replace(/\.you$/, "");
      // Some keys are put together: `theme.${name}`.
      const parts = plain.split(".");
      const stem = parts.slice(0, -1).join(".");
      const isAsked = all.includes(`"${plain}"`) || (stem && all.includes(`\`${stem}.\${`))
        || (parts.length === 3 && all.includes(`\`${parts[0]}.\${`)) || plain === "error";
      assert.ok(isAsked, `${key} is not used`);
    }
  });
});

describe("A drawing on a card", () => {
  const drawings = [...read("pictures.svg").matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name);

  for (const language of Object.keys(LANGUAGES)) {
    test(`has a name of its own in ${language}`, async () => {
      await speak(language);
      const names = drawings.map(nameOfFace);
      await speak("en");
      assert.equal(new Set(names).size, drawings.length);
      // A few are the same word elsewhere.
      const untold = names.filter((name, index) => name === drawings[index]);
      assert.ok(language === "en" || untold.length < 3, String(untold));
    });
  }

  test("is told by that name, any other face as it is", async () => {
    const ann = () => ({ name: "Ann", isYou: false });
    const turned = (face) => sentence({ type: "show-card", seat: 0, cell: 3, face }, ann);
    await speak("de");
    const [drawn, written] = [turned("lighthouse"), turned("🦊")];
    await speak("en");
    assert.match(drawn, /Leuchtturm/);
    assert.match(written, /🦊/);
  });
});

describe("A sentence", () => {
  test("bears its values, and the form for its count", () => {
    assert.equal(text("room.watching", { count: 1 }), "1 person is watching");
    assert.equal(text("room.watching", { count: 7 }), "7 people are watching");
    assert.equal(text("check.log.holds", { count: 1 }), "The only event is there.");
  });

  test("speaks to who reads it", () => {
    assert.equal(about("end.wins", { name: "Ann", isYou: false }), "Ann wins!");
    assert.equal(about("end.wins", { name: "Ann", isYou: true }), "You win!");
  });

  test("may be plain English that no table has", () => {
    assert.equal(about("{name} dropped {what}.", { name: "Ann", isYou: true }, { what: "it" }), "You dropped it.");
  });

  test("is English where a language is not spoken", async () => {
    assert.equal(firstSpoken(["xx", "en-GB"]), "en");
    assert.equal(firstSpoken([]), "en");
    await speak("xx");
    assert.equal(text("you"), "You");
  });
});
