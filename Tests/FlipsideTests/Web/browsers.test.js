import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const web = new URL("../../../web/", import.meta.url);
/** A file's content without comments. */
const rulesOf = (name) => readFileSync(new URL(name, web), "utf8").replace(/\/\*[^]*?\*\//g, "");
const files = readdirSync(web, { recursive: true }).map(String);

/** What Chrome 111, Firefox 113 or Safari 16.2 lack and cannot do without. README.md names these versions. */
const YOUNGER = {
  css: [
    ["colours that are lost without it", /light-dark\(/],
    ["rules within rules", /^\s*&|\{[^{}]*&/m],
    ["rules that are lost without it", /@(scope|container|starting-style)\b/],
    ["a mask by its plain name alone", /(?<!-webkit-mask: [^;]*; |-)\bmask:/],
    ["widths in ranges", /@media[^{]*[<>]/],
  ],
  js: [
    ["an expression that does not even parse", /\(\?<[=!]|\/[a-z]*v[a-z]*\.(?:test|exec)/],
    ["arrays", /\.(toSorted|toReversed|toSpliced|with)\(|Object\.groupBy|Map\.groupBy|Array\.fromAsync/],
    ["sets", /\.(union|intersection|difference|isSubsetOf|isSupersetOf)\(/],
    ["promises", /Promise\.(withResolvers|try)\b/],
    ["attributes by a property's name", /\.aria[A-Z]\w*/],
    ["addresses", /URL\.(canParse|parse)\(/],
    ["modules that are not scripts", /\bwith\s*\{\s*type:/],
  ],
};

for (const [kind, features] of Object.entries(YOUNGER)) {
  for (const [what, pattern] of features) {
    test(`no ${kind} needs a newer browser: ${what}`, () => {
      const found = files.filter((name) => name.endsWith(`.${kind}`))
        .filter((name) => pattern.test(rulesOf(name)));
      assert.deepEqual(found, []);
    });
  }
}
