// @ts-check
import { en } from "./en.js";

/**
 * The languages of the page, by their own names; the sentences are in `<language>.js`, here and in each game's
 * `texts/`.
 */
export const LANGUAGES = { en: "English", es: "Español", de: "Deutsch", zh: "简体中文" };

/** A language's tag for browsers (RFC 5646): Chinese has two scripts, which fonts and voices tell apart. */
export const tagOf = (/** @type {string} */ name) => (name === "zh" ? "zh-Hans" : name);

/**
 * @typedef {Record<string, string>} Table from a key to a sentence, with placeholders like `{name}`
 * @typedef {Record<string, unknown>} Values
 */

/**
 * All sentences in English, which also fill in for those missing in another language.
 * @type {Table}
 */
const english = { ...en };
/**
 * Loaders of a language's sentences; the page's own first.
 * @type {((language: string) => Promise<Record<string, Table>>)[]}
 */
const sources = [(language) => import(`./${language}.js`)];
/** @type {Table} */
let table = english;
let language = "en";
let plurals = new Intl.PluralRules(language);

/** The page's current language. */
export const spoken = () => language;

/** Several words as one list, in the grammar of the language. */
export const listed = (/** @type {string[]} */ words) => new Intl.ListFormat(language).format(words);

/**
 * Adds these sentences; those of other languages load when the page speaks one.
 * @param {{en: Table, load?: (language: string) => Promise<Record<string, Table>>}} texts
 */
export function addTexts({ en, load }) {
  Object.assign(english, en);
  if (load) sources.push(load);
}

/**
 * Speaks `name` from now on; English if that language does not exist.
 * @param {string} name
 */
export async function speak(name) {
  const wanted = Object.hasOwn(LANGUAGES, name) ? name : "en";
  const bring = (/** @type {typeof sources[number]} */ load) => load(wanted).then((one) => one[wanted]);
  // If its sentences do not load the page speaks English; a game without its own does so alone.
  const [own, ...ofGames] = wanted === "en" ? [english] : await Promise.all(
    sources.map((load) => bring(load).catch(() => null)));
  language = own ? wanted : "en";
  table = own ? Object.assign({}, ...ofGames, own) : english;
  plurals = new Intl.PluralRules(language);
}

/** Chinese in traditional characters, by script or region. */
const TRADITIONAL = /^zh-(hant|tw|hk|mo)\b/i;

/**
 * The first of `wanted` that the page speaks. Its Chinese uses simplified characters.
 * @param {readonly string[]} wanted a browser's: ["de-AT", "en"]
 */
export function firstSpoken(wanted) {
  // Browsers add a plain `zh` to `zh-TW`.
  const readsTraditional = wanted.some((tag) => TRADITIONAL.test(tag));
  const read = wanted.filter((tag) => !TRADITIONAL.test(tag) && !(readsTraditional && tag.toLowerCase() === "zh"));
  return read.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en";
}

/** Values that people write, and that the page knows only as characters: `{name}`, `{text}` and the like. */
const WRITTEN = ["name", "second", "other", "text", "character"];
/** Characters that reverse the direction of text until something ends that, and scripts that run from right to left. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Text that a user wrote, for use within a sentence: it keeps its own direction, and the sentence keeps its own. In an
 * element of its own, `dir="auto"` does the same.
 * @param {string} words
 */
export function isolated(words) {
  const plain = words.replace(TURNS, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/**
 * The sentence for `key` with its values filled in. With a `count`, the matching form if there is one, `key.one` or
 * `key.other`, else `key`. A key that no table has is itself the sentence: a new game may start with plain English.
 * @param {string} key @param {Values} values
 */
export function text(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${plurals.select(values.count)}` : key;
  const sentence = table[form] ?? table[key] ?? english[form] ?? english[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(values[name] ?? "");
    return WRITTEN.includes(name) ? isolated(value) : value;
  });
}

/**
 * Whether the page has words for `key`.
 * @param {string} key
 */
export const has = (key) => key in english;

/**
 * A sentence about someone: `key.you` if that is the reader, else `key` with the `name`.
 * @param {string} key @param {{name: string, isYou: boolean}} who @param {Values} values
 */
export function about(key, { name, isYou }, values = {}) {
  const you = `${key}.you`;
  return isYou && has(you) ? text(you, values) : text(key, { ...values, name: isYou ? text("you") : name });
}

/**
 * The hub's refusal in the page's language, if it has words for the code.
 * @param {{code?: string, message?: string, detail?: string, scripts?: string[], until?: number} & Values} error
 * @param {number} now by the hub's clock, for a refusal that ends at some time
 */
export function refusal({ code, message, detail, scripts, until, ...values }, now) {
  const key = `error.${code}`;
  if (!has(key)) return message ?? detail ?? text("error");
  const seconds = until === undefined ? {} : { seconds: Math.max(1, Math.ceil((until - now) / 1_000)) };
  return text(key, { ...values, ...seconds, ...(scripts && { scripts: namesOfScripts(scripts) }) });
}

/** @param {string[]} scripts as codes of ISO 15924 */
function namesOfScripts(scripts) {
  const names = new Intl.DisplayNames(language, { type: "script" });
  return new Intl.ListFormat(language).format(scripts.map((script) => names.of(script) ?? script));
}
