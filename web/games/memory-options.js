// @ts-check

/** What a host can choose: a table for the form, the words for lists, and the options that the hub is asked for. */

/** Boards by the name of their picture; the hub's preset brings the rules that fit. */
export const BOARDS = [
  { name: "easy", label: "2 × 5", options: { preset: "easy", columns: 2, rows: 5 } },
  { name: "medium", label: "2 × 7", options: { preset: "medium", columns: 2, rows: 7 } },
  { name: "classic", label: "4 × 4", options: { preset: "classic", columns: 4, rows: 4 } },
  { name: "hard", label: "4 × 5", options: { preset: "hard", columns: 4, rows: 5 } },
  { name: "large", label: "6 × 6", options: { preset: "custom", columns: 6, rows: 6 } },
];

export const THEMES = [
  { name: "random", label: "Surprise", sign: "🎲" }, { name: "animals", label: "Animals", sign: "🦊" },
  { name: "fruit", label: "Fruit", sign: "🍓" }, { name: "ocean", label: "Ocean", sign: "🐙" },
  { name: "garden", label: "Garden", sign: "🌷" }, { name: "vehicles", label: "Vehicles", sign: "🚀" },
  { name: "sports", label: "Sports", sign: "⚽" }, { name: "numbers", label: "Numbers", sign: "42" },
];

/** In seconds; 0 is no limit. */
export const TURN_TIMES = [15, 30, 60, 0];
export const SEATS = [2, 3, 4, 6, 8];

/**
 * What is chosen where nothing has been chosen yet, or as near to a room's options as the form can say.
 * @param {Record<string, any>} options
 */
export function chosen({ preset, columns, rows, theme, turnTime, seats } = {}) {
  const board = BOARDS.find(({ options }) => options.columns === columns && options.rows === rows)
    ?? BOARDS.find(({ name }) => columns === undefined && name === preset);
  return {
    board: board?.name ?? "classic", theme: theme ?? "random", turnTime: String(turnTime ?? 30),
    seats: String(seats ?? 4),
  };
}

/**
 * The hub's options for what was chosen.
 * @param {{board: string, theme: string, turnTime: string, seats: string}} choice
 */
export function optionsOf({ board, theme, turnTime, seats }) {
  const shape = BOARDS.find(({ name }) => name === board)?.options ?? {};
  return { ...shape, theme, turnTime: Number(turnTime), seats: Number(seats) };
}

/** A room's options in a few words each. @param {Record<string, any>} options @returns {string[]} */
export function describe(options) {
  const shape = BOARDS.find(({ name }) => name === (options.preset ?? "classic"))?.options;
  const { columns, rows } = { ...shape, ...options };
  const facts = [options.pairs ? `${options.pairs} pairs` : `${columns ?? 4} × ${rows ?? 4}`];
  const theme = options.theme ?? "animals", time = options.turnTime;
  facts.push(THEMES.find(({ name }) => name === theme)?.label ?? theme);
  if (time !== undefined) facts.push(time ? `${duration(time)} a turn` : "no time limit");
  return facts;
}

/** Seconds in the words of a clock: "12 s", "3:20", "5 h", "2 days". @param {number} seconds */
export function duration(seconds) {
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
