// @ts-check
import { en } from "./texts/en.js";

/** The languages of the page, each by its own name; its sentences are in `texts/<language>.js`. */
export const LANGUAGES = { en: "English", es: "Español", de: "Deutsch", zh: "中文" };

/** @typedef {Record<string, string>} Table from a key to a sentence, with its values as `{name}` */

/** @type {Table} */
let table = en;
let language = "en";
let plurals = new Intl.PluralRules(language);

/** The language that the page speaks now. */
export const spoken = () => language;

/** Speaks `name` from now on; English where there is no such language. @param {string} name */
export async function speak(name) {
  const wanted = Object.hasOwn(LANGUAGES, name) ? name : "en";
  // Without its sentences the page speaks English rather than nothing.
  const sentences = wanted === "en" ? en : (await import(`./texts/${wanted}.js`).catch(() => null))?.[wanted];
  language = sentences ? wanted : "en";
  table = sentences ?? en;
  plurals = new Intl.PluralRules(language);
}

/** The first of `wanted` that the page speaks. @param {readonly string[]} wanted a browser's: ["de-AT", "en"] */
export function firstSpoken(wanted) {
  return wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => name in LANGUAGES) ?? "en";
}

/**
 * The sentence of `key` with its values put in. With a `count` the form that fits it: `key.one`, else `key`. A key that
 * no table has is the sentence itself: a new game may begin with plain English.
 * @param {string} key @param {Record<string, any>} values
 */
export function text(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${plurals.select(values.count)}` : key;
  const sentence = table[form] ?? table[key] ?? en[form] ?? en[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Whether the page has words of its own for `key`. @param {string} key */
export const has = (key) => key in en;

/**
 * A sentence about somebody: `key.you` where it is about who reads it, else `key` with the `name`.
 * @param {string} key @param {{name: string, isYou: boolean}} who @param {Record<string, any>} values
 */
export function about(key, { name, isYou }, values = {}) {
  const you = `${key}.you`;
  return isYou && has(you) ? text(you, values) : text(key, { ...values, name: isYou ? text("you") : name });
}

/** What the hub refused, in the page's language where it has words for the code. @param {any} error */
export function refusal({ code, message, detail, ...values }) {
  const key = `error.${code}`;
  return has(key) ? text(key, values) : message ?? detail ?? text("error");
}
