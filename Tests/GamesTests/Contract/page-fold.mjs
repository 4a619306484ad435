// Folds the games of a log by the page's own modules, and says what does not hold: a line each, the name of the promise, a
// tab, and where. page-fold.mjs WEB_FOLDER LOG; the log as `PageLog` writes it.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [web, log] = process.argv.slice(2);
const bring = (name) => import(pathToFileURL(join(web, "games", name)).href);
const { games } = await bring("list.js");
const { fold, open } = await bring("room.js");
const { chosen, fieldsOf, optionsOf } = await bring("options.js");
const found = new Set();

/** The first of each promise is enough. */
function say(promise, detail) {
  if (found.has(promise)) return;
  found.add(promise);
  console.log(`${promise}\t${detail.replace(/\s+/g, " ").slice(0, 600)}`);
}

const isSame = (a, b) => {
  try { assert.deepStrictEqual(a, b); } catch { return false; }
  return true;
};
const differing = (own, told) => Object.keys({ ...own, ...told }).filter((name) => !isSame(own?.[name], told?.[name]))
  .map((name) => `${name} is ${JSON.stringify(own?.[name])}, not ${JSON.stringify(told?.[name])}`).join("; ");

function step(state, { event, view, facts }) {
  const next = event.type === "room-opened" ? open("contract", event) : fold(freeze(state), freeze(event));
  if (!isSame(next.view, view)) {
    say("page", `${next.room.game}, after ${JSON.stringify(event)}: ${differing(next.view, view)}`);
  }
  if (facts) checkFacts(next, facts);
  // One fault is not to be found again in each event that follows.
  return { ...next, view };
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
  if (!games[game]) return say("page", `web/games/list.js names no ${game}`);
  for (const name of ["levels", "seats"]) {
    const own = games[game][name];
    if (!isSame(own, facts[name])) say("offers", `${game} has the ${name} ${own}, not ${facts[name]}`);
  }
  const first = chosen(game), fields = [...fieldsOf(game, "shown"), ...fieldsOf(game, "folded")].flat();
  const choices = fields.flatMap(({ name, choices }) => choices().map(({ value }) => ({ ...first, [name]: String(value) })));
  const asked = [first, ...choices].map((choice) => inWords(optionsOf(choice).options));
  if (!found.has(game)) console.log([...new Set(asked)].map((options) => `options\t${options}`).join("\n"));
  found.add(game);
}

/** Each option with its kind; null is nothing asked for. */
const inWords = (/** @type {Record<string, any>} */ options) => Object.entries(options).filter(([, value]) => value !== null)
  .map(([name, value]) => `${name} ${typeof value} ${value}`).join("\t");

/** What the page offers to a player that the game awaits: a command for each target that is free. */
function checkMoves({ room, view }, { seat, awaited, legal }) {
  const game = games[room.game];
  const targets = [...Array(game.targets(view)).keys()].filter((target) => game.whyNot(view, target) === "");
  const inOrder = (commands) => [...new Set(commands.map((command) => JSON.stringify(command, Object.keys(command).sort())))].sort();
  const offered = inOrder(targets.map(game.move)), told = inOrder(legal);
  if (!game.mayMove(view, seat)) say("moves", `${room.game}: seat ${seat} may not move`);
  if (!isSame(offered, told)) say("moves", `${room.game} offers ${offered}, legal are ${told}`);
  for (const other of view.seats) {
    if (!awaited.includes(other) && game.mayMove(view, other)) say("moves", `${room.game}: seat ${other} may move out of turn`);
  }
}

let state = null;
for (const line of readFileSync(log, "utf8").split("\n").filter(Boolean)) {
  const entry = JSON.parse(line);
  try {
    if (entry.event) state = step(state, entry);
    else checkMoves(state, entry);
  } catch (error) {
    say("page", `${state?.room.game}: ${error.stack}`);
  }
}
