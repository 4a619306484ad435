// @ts-check
import { text } from "./texts.js";

/** Numbers have three digits. */
const [LEAST, MOST] = [100, 999];

const anyOf = (/** @type {string[]} */ list) => list[Math.floor(Math.random() * list.length)];
/** The words of a text, in groups: words that agree in gender are in the same one. */
const parts = (/** @type {string} */ key) => text(key).split(" | ").map((part) => part.split(" "));

/** A name in the page's language that is probably free. */
export function proposeName() {
  const pairs = parts("name.animals").flatMap((animals, part) => animals.map((animal) => ({ animal, part })));
  const { animal, part } = pairs[Math.floor(Math.random() * pairs.length)];
  const number = LEAST + Math.floor(Math.random() * (MOST - LEAST + 1));
  return text("name.proposed", { animal, adjective: anyOf(parts("name.adjectives")[part]), number });
}
