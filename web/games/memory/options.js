// @ts-check
import { text } from "../../texts/texts.js";

/** @typedef {import("../../net/messages.js").MemoryOptions} RoomOptions */

/** What a host can choose for a game of Memory (see `options.js`): fields of the form, and words for lists. */

/** Boards; the hub's preset brings the rules that fit. */
export const BOARDS = [
  { name: "easy", label: "memory.board.easy", options: { preset: "easy", columns: 2, rows: 5 } },
  { name: "medium", label: "memory.board.medium", options: { preset: "medium", columns: 2, rows: 7 } },
  { name: "classic", label: "memory.board.classic", options: { preset: "classic", columns: 4, rows: 4 } },
  { name: "hard", label: "memory.board.hard", options: { preset: "hard", columns: 4, rows: 5 } },
  { name: "memorize", label: "memory.board.all", options: { preset: "memorize" }, picture: [6, 6] },
  { name: "custom", label: "memory.board.custom", options: { preset: "custom" }, picture: [3, 3] },
];

/** The sides of a custom board. */
export const COLUMNS = [2, 3, 4, 5, 6, 7, 8];
export const ROWS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const theme = (/** @type {string} */ name, /** @type {string} */ sign) => ({ name, label: `theme.${name}`, sign });
export const THEMES = [
  theme("random", "🎁"), theme("animals", "🦊"), theme("safari", "🦒"),
  theme("birds", "🦜"), theme("ocean", "🐙"), theme("garden", "🌷"), theme("fruit", "🍓"), theme("vegetables", "🥕"),
  theme("food", "🍕"), theme("vehicles", "🚀"), theme("places", "🗼"), theme("sky", "🌈"), theme("sports", "⚽"),
  theme("toys", "🎲"), theme("music", "🎸"), theme("party", "🎈"), theme("clothes", "🎩"), theme("workshop", "🔧"),
  theme("moods", "🤠"), theme("pictures", "⚓"), theme("numbers", "42"), theme("characters", "Ω"),
];

/** How cards are scored; the words of a rule are `rule.<name>`, with `.match`, `.miss` and `.remark` to explain it. */
export const RULES = ["pairs", "memorize", "easy", "medium", "hard"];

export const SEATS = [1, 2, 3, 4, 6, 8];

/** Who plays next after a match: `home.turn-rule.<name>`. */
const TURN_RULES = ["again", "alternate"];

/** Who may turn cards: each in turn, or all at once, in a race; `memory.order.<name>`. */
const ORDERS = ["turns", "free"];
/**
 * How long a first card stays up in a race, in seconds; 0 is no limit. Without a request the hub chooses: 5 with
 * others, none for one person.
 */
const SECOND_TIMES = [5, 10, 20, 0];
const timeOf = (/** @type {number} */ count) => (count ? text("time.seconds", { count }) : text("option.no-time"));

const sides = (/** @type {string} */ key, /** @type {number[]} */ counts) =>
  () => counts.map((count) => ({ value: count, label: text(key, { count }) }));
const isShaped = (/** @type {Record<string, string>} */ { board }) => board === "custom";
const isRace = (/** @type {Record<string, unknown>} */ { order }) => order === "free";

/** Whether there are turns that could have a time limit. */
export const hasTurnTime = (/** @type {Record<string, unknown>} */ choice) => !isRace(choice);

export const shown = [
  {
    name: "board", label: "memory.board",
    choices: () => BOARDS.map(({ name, label, options: { columns = 0, rows = 0 }, picture = [columns, rows] }) =>
      ({ value: name, label: text(label), picture })),
  },
  [
    { name: "columns", label: "option.columns", choices: sides("option.wide", COLUMNS), when: isShaped },
    { name: "rows", label: "option.rows", choices: sides("option.high", ROWS), when: isShaped },
  ],
  {
    name: "seats", label: "option.seats",
    choices: () => SEATS.map((count) => ({ value: count, label: String(count) })),
  },
];

export const folded = [
  {
    name: "theme", label: "option.theme",
    choices: () => THEMES.map(({ name, label, sign }) => ({ value: name, label: `${sign} ${text(label)}` })),
  },
  {
    name: "rule", label: "option.rule",
    choices: () => [{ value: "", label: text("memory.rule.by-board") },
      ...RULES.map((rule) => ({ value: rule, label: text(`rule.${rule}`) }))],
  },
  {
    name: "order", label: "memory.order",
    choices: () => ORDERS.map((order) => ({ value: order, label: text(`memory.order.${order}`) })),
  },
  {
    name: "secondTime", label: "memory.second-time", when: isRace,
    choices: () => [{ value: "", label: text("option.time-with-others", { time: timeOf(5) }) },
      ...SECOND_TIMES.map((value) => ({ value, label: timeOf(value) }))],
  },
  {
    name: "turnRule", label: "home.turn-rule", when: hasTurnTime,
    choices: () => TURN_RULES.map((rule) => ({ value: rule, label: text(`home.turn-rule.${rule}`) })),
  },
];

/** @param {RoomOptions} [options] a room's; without them the form's defaults */
export function chosen(options) {
  const { preset, columns, rows, pairs, theme, seats, rule, turnRule, turnTime, order } = options ?? {};
  const isFree = isRace({ order }), isShaped = columns !== undefined;
  const board = BOARDS.find(({ options }) => isShaped && options.columns === columns && options.rows === rows)
    ?? BOARDS.find(({ name }) => name === (isShaped ? "custom" : preset));
  return {
    // A board defined by its number of pairs is none of those.
    board: pairs ? "" : board?.name ?? "classic", theme: theme ?? (options ? themeOf(preset) : "random"),
    seats: String(seats ?? 4), rule: rule ?? "", turnRule: turnRule ?? TURN_RULES[0], columns: String(columns ?? 6),
    rows: String(rows ?? 6), order: order ?? ORDERS[0], turnTime: String((isFree ? undefined : turnTime) ?? ""),
    secondTime: String((isFree ? turnTime : undefined) ?? ""),
  };
}

/**
 * A room's theme if none was requested.
 * @param {string} [preset]
 */
const themeOf = (preset) => (preset === "memorize" ? "random" : "animals");

/** The hub's options for the choice of a field, if they differ from its name: some only fit together. */
const SHAPE = ["preset", "columns", "rows", "pairs"];
const SETS = /** @type {Record<string, string[]>} */ ({
  board: SHAPE, columns: SHAPE, rows: SHAPE, order: ["order", "turnRule", "turnTime"], secondTime: ["turnTime"],
});

/** @param {string} name */
export const optionsFor = (name) => SETS[name] ?? [name];

/** @param {Record<string, string>} choice */
export function optionsOf({ board, theme, seats, rule, turnRule, columns, rows, order, turnTime, secondTime }) {
  // Null takes back an earlier request.
  const shape = { columns: null, rows: null, pairs: null, ...BOARDS.find(({ name }) => name === board)?.options };
  const sides = board === "custom" ? { columns: Number(columns), rows: Number(rows) } : {};
  const isFree = isRace({ order }), time = isFree ? secondTime : turnTime;
  return {
    ...shape, ...sides, theme, seats: Number(seats), rule: rule || null, order: isFree ? order : null,
    turnRule: isFree ? null : turnRule, turnTime: time ? Number(time) : null,
  };
}

/**
 * @param {RoomOptions} options
 * @returns {string[]}
 */
export function describe(options) {
  const preset = options.preset ?? "classic";
  /** @type {{columns?: number, rows?: number}} */
  const { columns, rows } = { ...BOARDS.find(({ name }) => name === preset)?.options, ...options };
  const size = columns ? `${columns} × ${rows ?? 4}` : text("memory.board.all");
  const facts = [options.pairs ? text("fact.pairs", { count: options.pairs }) : size];
  facts.push(text(`theme.${options.theme ?? themeOf(preset)}`));
  const rule = options.rule ?? (RULES.includes(preset) ? preset : "pairs");
  if (rule !== "pairs") facts.push(text("memory.scored", { rule: text(`rule.${rule}`) }));
  const time = isRace(options) ? options.turnTime : undefined;
  if (isRace(options)) facts.push(text("memory.race.name"));
  if (time !== undefined) facts.push(`${text("memory.second-time")}: ${timeOf(time)}`);
  if (options.turnRule === "alternate") facts.push(text("home.turn-rule.alternate"));
  return facts;
}
