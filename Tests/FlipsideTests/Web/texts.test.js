// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { games } from "../../../web/games/list.js";
import { memory, nameOfFace } from "../../../web/games/memory/game.js";
import { about, firstSpoken, isolated, LANGUAGES, refusal, speak, text } from "../../../web/texts/texts.js";
import { en as own } from "../../../web/texts/en.js";
import { proposeName } from "../../../web/texts/proposed-name.js";

const web = new URL("../../../web/", import.meta.url);
const read = (path) => readFileSync(new URL(path, web), "utf8");
const sources = readdirSync(web, { recursive: true }).map(String)
  .filter((path) => path.endsWith(".js") && !/(^|\/)texts\/(..|[a-z-]+\.en)\.js$/.test(path));
const values = (sentence) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();
/** Without the plural form. */
const base = (key) => key.replace(/\.(zero|one|two|few|many|other)$/, "");

/** The words of static markup with their keys, as often as they occur. @type {[string, string][]} */
const markup = (() => {
  const page = read("index.html").replace(/\s+/g, " ").replaceAll("&amp;", "&");
  const written = [...page.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g)].map(([, key, said]) => [key, said.trim()]);
  const labels = [...page.matchAll(/aria-label="([^"]+)" data-text-label="([^"]+)"/g)].map(([, said, key]) => [key, said]);
  assert.ok(written.length > 50 && labels.length >= page.match(/data-text-label/g).length);
  return /** @type {any} */ ([...written, ...labels]);
})();

/** English sentences that the first view does without. */
const later = Object.assign({}, ...await Promise.all(
  ["account", "check", "host"].map(async (part) => (await import(`../../../web/texts/${part}.en.js`)).en)));

/** The folders with sentences, each with its English ones. @type {[string, Record<string, string>][]} */
const folders = [["texts", { ...own, ...later, ...Object.fromEntries(markup) }],
  ...await Promise.all(Object.keys(games).map(async (game) => {
    const folder = `games/${game}/texts`, files = readdirSync(new URL(`../../../web/${folder}`, import.meta.url));
    const tables = await Promise.all(files.filter((name) => /(^|\.)en\.js$/.test(name)).map(async (name) =>
      (await import(`../../../web/${folder}/${name}`)).en));
    return /** @type {[string, Record<string, string>]} */ ([folder, Object.assign({}, ...tables)]);
  }))];
const en = Object.assign({}, ...folders.map(([, table]) => table));

describe("The page's sentences", () => {
  for (const [folder, english] of folders) {
    for (const name of Object.keys(LANGUAGES).filter((name) => name !== "en")) {
      test(`all exist in ${folder}/${name}.js, with the same placeholders`, async () => {
        const table = (await import(`../../../web/${folder}/${name}.js`))[name], keys = Object.keys(table);
        assert.deepEqual([...new Set(keys.map(base))].sort(), [...new Set(Object.keys(english).map(base))].sort());
        for (const [key, sentence] of Object.entries(table)) {
          const form = key in english ? key : base(key);
          if (key === base(key)) assert.deepEqual(values(sentence), values(english[form]), key);
          assert.equal(sentence === "", english[form] === "", `${key} is empty in one language`);
        }
      });
    }
  }

  test("stand in one folder each", () => {
    assert.equal(Object.keys(en).length, folders.reduce((count, [, table]) => count + Object.keys(table).length, 0));
  });

  test("of the markup stand only there, and are the same wherever it repeats them", () => {
    for (const [key, said] of markup) {
      assert.equal(said, en[key], key);
      assert.ok(!(key in own), `${key} stands in texts/en.js, too`);
    }
  });

  test("every key that the page uses exists", () => {
    for (const path of sources) {
      for (const [, key] of read(path).matchAll(/\b(?:text|about)\(\s*"([^"]+)"/g)) {
        assert.ok(key in en, `${path} asks for ${key}`);
      }
    }
  });

  test("no unused one is left", () => {
    const all = sources.map(read).join("") + read("index.html");
    for (const key of Object.keys(en)) {
      const plain = base(key).replace(/\.you$/, "");
      // Some keys are composed: `theme.${name}`.
      const parts = plain.split(".");
      const stem = parts.slice(0, -1).join(".");
      const isAsked = all.includes(`"${plain}"`) || (stem && all.includes(`\`${stem}.\${`))
        || (parts.length === 3 && all.includes(`\`${parts[0]}.\${`)) || plain === "error";
      assert.ok(isAsked, `${key} is not used`);
    }
  });
});

describe("Text that people wrote", () => {
  const [FSI, PDI] = ["\u2068", "\u2069"];

  test("runs in its own direction within a sentence, which keeps its own", () => {
    assert.equal(text("now.move", { name: "שרה 2" }), `${FSI}שרה 2${PDI}’s turn`);
    assert.equal(about("event.seat-taken", { name: "محمد", isYou: false }, { seat: 1 }), `${FSI}محمد${PDI} took seat 1.`);
    assert.equal(text("chat.says", { name: "Ann", text: "שלום" }), `Ann: ${FSI}שלום${PDI}`);
  });

  test("reverses nothing after it", () => {
    for (const said of ["\u202Eabc", "\u2067abc", "a\u2069\u202Ebc", "abc\u202B"]) {
      assert.equal(text("chat.says", { name: "Ann", text: said }), "Ann: abc");
    }
    assert.equal(isolated("\u2069\u202Eשלום"), `${FSI}שלום${PDI}`);
  });

  test("is unchanged if there is nothing to reverse", () => {
    for (const name of ["Ann", "Łukasz", "小明", "Дмитрий", "Zoë 🎉", "नेहा"]) assert.equal(isolated(name), name);
  });
});

test("a refusal until some time says how long that is", () => {
  const error = { code: "proposed-lately", until: 61_500 };
  assert.equal(refusal(error, 2_000), "You just asked. Ask again in 60 s.");
  assert.equal(refusal(error, 70_000), "You just asked. Ask again in 1 s.");
});

describe("A proposed name", () => {
  const NAMES = { en: /^[A-Z][a-z]+ [A-Z][a-z]+ \d{3}$/, de: /^[A-ZÄÖÜ][a-zäöü]+(er|e|es) [A-ZÄÖÜ][a-zäöü]+ \d{3}$/,
    es: /^[A-ZÁÉÍÓÚ][a-záéíóúñ]+ [A-ZÁÉÍÓÚ][a-záéíóúñ]+ \d{3}$/, zh: /^\p{Script=Han}{2}的\p{Script=Han}{2,3}\d{3}$/u };

  for (const [language, form] of Object.entries(NAMES)) {
    test(`is in the page's language, ${language}, and short enough`, async () => {
      await speak(language);
      const names = Array.from({ length: 500 }, () => proposeName());
      const [adjectives, animals] = ["name.adjectives", "name.animals"].map((key) => text(key).split(" | "));
      await speak("en");
      for (const name of names) {
        assert.match(name, form);
        assert.ok([...name].length <= 24, name);
      }
      // Each gender has the same number of both.
      assert.equal(adjectives.length, animals.length);
      assert.equal(new Set(adjectives.map((part) => part.split(" ").length)).size, 1);
    });
  }

  test("has words that agree", async () => {
    for (const [language, agree] of /** @type {[string, RegExp][]} */ ([
      ["de", /er (Fuchs|Dachs|Luchs|Otter|Wal|Panda|Reiher|Marder|Biber|Igel) |e (Eule|Robbe|Meise|Lerche|Hummel|Elster) |es (Reh|Wiesel|Zebra|Lama) /],
      ["es", /^(Zorro|Búho|Panda|Tejón|Lince|Delfín|Colibrí|Castor|Puma|Halcón) \S+(?<!a) |^(Nutria|Garza|Ballena|Ardilla|Lechuza|Gacela|Tortuga|Foca|Cebra|Marta) \S+(?<!o) /]])) {
      await speak(language);
      for (let count = 0; count < 300; count++) assert.match(proposeName(), agree);
      await speak("en");
    }
  });
});

describe("A refused name", () => {
  const told = async (language, error) => {
    await speak(language);
    const said = refusal(error, 0);
    await speak("en");
    return said;
  };

  test("names the scripts that it mixes, in each language", async () => {
    const error = { code: "name-scripts", scripts: ["Cyrl", "Latn"], detail: "A sentence of the hub's." };
    assert.equal(await told("en", error), "Use one script in a name. This one mixes Cyrillic and Latin.");
    assert.match(await told("de", error), /Kyrillisch und Lateinisch/);
    assert.match(await told("es", error), /cirílico y latino/);
    assert.match(await told("zh", error), /西里尔文.*拉丁文/);
  });

  test("names the forbidden character", async () => {
    for (const language of Object.keys(LANGUAGES)) {
      assert.match(await told(language, { code: "name-character", character: "ᗩ" }), /ᗩ/);
    }
  });
});

describe("A drawing on a card", () => {
  const drawings = [...read("games/memory/pictures.svg").matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name);

  for (const language of Object.keys(LANGUAGES)) {
    test(`has a name of its own in ${language}`, async () => {
      await speak(language);
      const names = drawings.map(nameOfFace);
      await speak("en");
      assert.equal(new Set(names).size, drawings.length);
      // A few are the same word in both languages.
      const untold = names.filter((name, index) => name === drawings[index]);
      assert.ok(language === "en" || untold.length < 3, String(untold));
    });
  }

  test("is announced by that name, any other face as it is", async () => {
    const ann = () => ({ name: "Ann", isYou: false });
    const turned = (face) => memory.sentence({ type: "show-card", seat: 0, cell: 3, face }, ann);
    await speak("de");
    const [drawn, written] = [turned("lighthouse"), turned("🦊")];
    await speak("en");
    assert.match(drawn, /Leuchtturm/);
    assert.match(written, /🦊/);
  });
});

describe("A browser's first language that the page speaks", () => {
  for (const [wanted, spoken] of /** @type {[string[], string][]} */ ([
    [["de-AT", "en"], "de"], [["xx", "en-GB"], "en"], [[], "en"], [["zh-CN", "zh", "en"], "zh"], [["zh"], "zh"],
    [["zh-Hans-HK"], "zh"],
    // These do not read simplified characters; browsers add a plain `zh`.
    [["zh-TW", "zh", "en-US", "en"], "en"], [["zh-HK"], "en"], [["zh-Hant-TW", "zh"], "en"], [["zh-MO", "es"], "es"],
    [["zh-TW", "zh-CN", "en"], "zh"], [["zh-hant", "zh-Hans"], "zh"],
  ])) {
    test(`of ${wanted.join(", ") || "none"} is ${spoken}`, () => assert.equal(firstSpoken(wanted), spoken));
  }
});

describe("The sentences in Spanish", async () => {
  const tables = await Promise.all(folders.map(async ([folder]) => (await import(`../../../web/${folder}/es.js`)).es));
  const said = Object.entries(Object.assign({}, ...tables)), WORD = "(?<![\\p{L}])", END = "(?![\\p{L}])";
  /** Rules for all of them, each with what breaks it. @type {[string, string][]} */
  const rules = [
    ["say tú, not vosotros or vos", "vosotr[oa]s|vuestr[oa]s?|vos|os|[\\p{L}]+[áé]is|(jug|envi|entr|mir|esper|apunt|prob)ad"
      + "|(abr|eleg|escrib)id|(ten|pod|quer|juga|abr|entr|esper)[éáí]s|jugá|abrí|elegí|escribí|tocá|mirá"],
    ["are understood in every country", "ordenador(es)?|computadores?|móvil(es)?|celular(es)?|coger?|vale|setas?|en directo"
      + "|cómo de bien|echad[oa]|echar?|apúnta\\w*|apuntad[oa]|enfadar\\w*|gafas|zumo|patatas?"],
    ["speak of people of any gender", "jugador(es)?|anfitri(ón|ona)|otros|demás jugadores|juntos|olvidado|invitados|el siguiente"
      + "|al siguiente|muy pocos|todos(?! (estos|los|tus|sus))"],
  ];

  for (const [rule, broken] of rules) {
    test(rule, () => {
      const wrong = said.filter(([, sentence]) => new RegExp(`${WORD}(${broken})${END}`, "iu").test(sentence));
      assert.deepEqual(wrong.map(([key, sentence]) => `${key}: ${sentence}`), []);
    });
  }
});

test("In Chinese boards of discs are 棋盘, those of cards 牌阵", async () => {
  for (const [folder] of folders) {
    const said = Object.values((await import(`../../../web/${folder}/zh.js`)).zh).join("\n");
    assert.equal(said.match(folder.includes("memory") ? /.*(棋盘|牌面).*/ : /.*(牌阵|牌面).*/)?.[0], undefined);
  }
});

describe("A sentence", () => {
  test("contains its values, and the form for its count", () => {
    assert.equal(text("room.watching", { count: 1 }), "1 person is watching");
    assert.equal(text("room.watching", { count: 7 }), "7 people are watching");
    assert.equal(text("check.log.holds", { count: 1 }), "The only event is there.");
  });

  test("addresses its reader", () => {
    assert.equal(about("end.wins", { name: "Ann", isYou: false }), "Ann wins!");
    assert.equal(about("end.wins", { name: "Ann", isYou: true }), "You win!");
  });

  test("may be plain English that no table has", () => {
    assert.equal(about("{name} dropped {what}.", { name: "Ann", isYou: true }, { what: "it" }), "You dropped it.");
  });

  test("is English if a language is unknown", async () => {
    await speak("xx");
    assert.equal(text("you"), "You");
  });
});
