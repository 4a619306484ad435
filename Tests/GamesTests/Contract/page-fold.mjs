// Folds the games of a log by the page's own modules, and says what does not hold: a line each, the name of the promise, a
// tab, and a sentence. page-fold.mjs WEB_FOLDER LOG; the log as `PageLog` writes it. Without a log it says all options that
// the forms of all games can ask for.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [web, log] = process.argv.slice(2);
const found = new Set();
/** The game of the log, in words. */
let place = "", number = 0;

/** The first of each promise is enough. */
function say(promise, sentence) {
  if (found.has(promise)) return;
  found.add(promise);
  console.log(`${promise}\t${`${place}${sentence}`.replace(/\s+/g, " ")}`);
}

// The list of games says there which one it leaves out.
console.error = (words) => say("page", words);
const bring = (name) => import(pathToFileURL(join(web, name)).href);
const { games } = await bring("games/list.js");
const { fold, open } = await bring("games/room.js");
const { chosen, fieldsOf, optionsOf } = await bring("games/options.js");
const { addTexts, has } = await bring("texts/texts.js");
// The page has some English words in its markup only.
const markup = readFileSync(join(web, "index.html"), "utf8").matchAll(/data-text="([\w.-]+)"[^>]*>([^<]+)/g);
addTexts({ en: Object.fromEntries([...markup].map(([, key, words]) => [key, words])) });
for (const { texts } of Object.values(games)) addTexts(await texts?.howToPlay?.() ?? {});

const isSame = (a, b) => {
  try { assert.deepStrictEqual(a, b); } catch { return false; }
  return true;
};

/** As JSON; of a longer value only its kind and size. */
function brief(value) {
  const text = JSON.stringify(value) ?? "missing";
  if (text.length <= 60) return text;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "string" ? `a text of ${value.length} characters` : `an object with ${Object.keys(value).length} fields`;
}

/** An event or a command. */
const inBrief = ({ type, v, t, more, ...fields }) =>
  `${type} {${Object.entries(fields).map(([name, value]) => `"${name}":${brief(value)}`).join(",")}}`;

/** The first few, and how many more there are. */
const listed = (words, most = 3) =>
  words.length <= most ? words.join(", ") : `${words.slice(0, most).join(", ")} and ${words.length - most} more`;

/** Where a value differs from the game's: "view.cells[3] is 1, not null". */
function differences(own, told, path) {
  if (isSame(own, told)) return [];
  if (Array.isArray(own) && Array.isArray(told)) {
    if (own.length !== told.length) return [`${path} has ${own.length} elements, not ${told.length}`];
    return own.flatMap((value, index) => differences(value, told[index], `${path}[${index}]`));
  }
  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isObject(own) || !isObject(told)) return [`${path} is ${brief(own)}, not ${brief(told)}`];
  return Object.keys({ ...own, ...told }).flatMap((name) => differences(own[name], told[name], `${path}.${name}`));
}

function step(state, { event, view, facts }) {
  if (event.type === "room-opened") place = `In game ${number++} of the log with the options ${brief(event.options)}, `;
  const next = event.type === "room-opened" ? open("contract", event) : fold(freeze(state), freeze(event));
  const different = differences(next.view, view, "view");
  if (different.length > 0) say("page", `after ${inBrief(event)}, ${listed(different)} as in the game.`);
  if (facts) checkFacts(next, facts);
  // One fault is not to be found again in each event that follows.
  const told = { ...next, view };
  if (view && games[next.room.game]) checkWords(games[next.room.game], told, event);
  return told;
}

/** Nothing that a fold is given changes. */
function freeze(value) {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** What the page says of a game before it begins; and all options that its form can ask for, for the game to judge. */
function checkFacts({ room: { game } }, facts) {
  const own = games[game];
  if (!own) return say("page", `web/games/list.js has no game ${game}.`);
  for (const name of ["levels", "seats"]) {
    if (!isSame(own[name], facts[name])) say("offers", `the page offers the ${name} ${brief(own[name])}, not ${brief(facts[name])}.`);
  }
  if (found.has(game)) return;
  found.add(game);
  console.log(formOptions(game).map((options) => `options\t${options}`).join("\n"));
  checkKey(own.title, "title");
  for (const { type, label, question = "" } of own.buttons) {
    checkKey(label, `the label of the button ${type}`);
    checkKey(question, `the question of the button ${type}`);
  }
  for (const { name, label, choices } of allFields(game)) {
    checkKey(label, `the label of the option ${name}`);
    for (const choice of choices()) checkKey(choice.label, `the choice ${choice.value} of the option ${name}`);
  }
  own.howToPlay?.().forEach((part) => [part.head ?? part, part.rows ?? []].flat(2).forEach((words) => checkKey(words, "howToPlay")));
}

const allFields = (game) => [...fieldsOf(game, "shown"), ...fieldsOf(game, "folded")].flat();

/** The page's default, and each choice of each field besides the defaults of the others. */
function formOptions(game) {
  const first = chosen(game);
  const choices = allFields(game).flatMap(({ name, choices }) =>
    choices().map(({ value }) => ({ ...first, [name]: String(value) })));
  return [...new Set([first, ...choices].map((choice) => inWords(optionsOf(choice).options)))];
}

/** Each option with its kind; null is nothing asked for. */
const inWords = (/** @type {Record<string, any>} */ options) => Object.entries(options).filter(([, value]) => value !== null)
  .map(([name, value]) => `${name} ${typeof value} ${value}`).join("\t");

/** A text is words, or a key for which the page has words: a key without words would be shown as it is. */
function checkKey(text, what) {
  if (typeof text !== "string") return say("words", `${what} is ${brief(text)}, which is no text.`);
  if (/^[a-z][\w-]*(\.[\w-]+)*$/.test(text) && !has(text)) say("words", `${what} has the key ${text}, for which there are no words.`);
}

/** What the page says while a game is shown. */
function checkWords(game, { room, view }, event) {
  if (room.status === "running") checkKey(game.turnText(view), `turnText after ${event.type}`);
  for (const name of ["caption", "remaining"]) if (game[name]) checkKey(game[name](view), `${name} after ${event.type}`);
  for (const isYou of [true, false]) {
    checkKey(game.sentence(event, () => ({ name: "Ann", isYou })), `the sentence for ${event.type}`);
  }
  for (const { type, whyNot } of game.buttons) {
    for (const seat of view.seats) checkKey(whyNot(view, seat), `whyNot of the button ${type}`);
  }
}

/** The targets that a player can press; for each of the others there is a reason in words. */
function pressable(game, view, own) {
  return [...Array(game.targets(view, own)).keys()].filter((target) => {
    const why = game.whyNot(view, target, own);
    checkKey(why, `whyNot of the target ${target}`);
    return why === "";
  });
}

/** The commands that a player can send, by one press each or by two, of which the first only chooses a target. */
function commandsOf(game, view, { seat, hand }) {
  const own = { seat, hand, chosen: undefined };
  return pressable(game, view, own).flatMap((first) => {
    const command = game.move(first, view, own);
    if (command) return [command];
    const next = { ...own, chosen: first };
    // Pressing the chosen target again takes the choice back, and others may be chosen in its place.
    const seconds = pressable(game, view, next).filter((second) => second !== first);
    const commands = seconds.flatMap((second) => game.move(second, view, next) ?? []);
    if (commands.length === 0) say("moves", `no target can follow target ${first}, which seat ${seat} can choose.`);
    return commands;
  });
}

/** What the page offers to a player that the game awaits is what the game allows. */
function checkMoves({ room, view }, { seat, awaited, legal, hand }) {
  const game = games[room.game];
  if (!game) return;
  const inOrder = (command) => JSON.stringify(command, Object.keys(command).sort());
  const offered = new Map(commandsOf(game, view, { seat, hand }).map((command) => [inOrder(command), command]));
  const allowed = new Map(legal.map((command) => [inOrder(command), command]));
  const [wrong] = [...offered].filter(([key]) => !allowed.has(key)), [missing] = [...allowed].filter(([key]) => !offered.has(key));
  if (wrong) say("moves", `a press of seat ${seat} sends ${inBrief(wrong[1])}, which is not legal.`);
  if (missing) say("moves", `no press of seat ${seat} sends ${inBrief(missing[1])}, which is legal.`);
  if (!game.mayMove(view, seat)) say("moves", `seat ${seat} may not move though the game waits for it.`);
  for (const other of view.seats) {
    if (!awaited.includes(other) && game.mayMove(view, other)) {
      say("moves", `seat ${other} may move though the game does not wait for it.`);
    }
  }
}

if (!log) {
  for (const game of Object.keys(games)) for (const options of formOptions(game)) console.log(`${game}\t${options}`);
} else {
  let state = null;
  for (const line of readFileSync(log, "utf8").split("\n").filter(Boolean)) {
    const entry = JSON.parse(line);
    try {
      if (entry.event) state = step(state, entry);
      else checkMoves(state, entry);
    } catch (error) {
      const [at] = error.stack.match(/[\w-]+\/[\w-]+\.m?js:\d+/) ?? [""];
      say("page", `${entry.event ? inBrief(entry.event) : `a move of seat ${entry.seat}`} throws ${error.message} (${at}).`);
    }
  }
}
