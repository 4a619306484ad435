// @ts-check

/** What a host can choose for a game of Memory: tables for the form, the words for lists. */

/** Boards by the name of their picture; the hub's preset brings the rules that fit. */
export const BOARDS = [
  { name: "easy", label: "2 × 5", options: { preset: "easy", columns: 2, rows: 5 } },
  { name: "medium", label: "2 × 7", options: { preset: "medium", columns: 2, rows: 7 } },
  { name: "classic", label: "4 × 4", options: { preset: "classic", columns: 4, rows: 4 } },
  { name: "hard", label: "4 × 5", options: { preset: "hard", columns: 4, rows: 5 } },
  { name: "memorize", label: "All cards", options: { preset: "memorize" } },
  { name: "custom", label: "Your own", options: { preset: "custom" } },
];

/** Sides of a board of one's own. */
export const COLUMNS = [2, 3, 4, 5, 6, 7, 8];
export const ROWS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

const theme = (name, sign) => ({ name, label: name[0].toUpperCase() + name.slice(1), sign });
export const THEMES = [
  { name: "random", label: "Surprise", sign: "🎁" }, theme("animals", "🦊"), theme("safari", "🦒"),
  theme("birds", "🦜"), theme("ocean", "🐙"), theme("garden", "🌷"), theme("fruit", "🍓"), theme("vegetables", "🥕"),
  theme("food", "🍕"), theme("vehicles", "🚀"), theme("places", "🗼"), theme("sky", "🌈"), theme("sports", "⚽"),
  theme("toys", "🎲"), theme("music", "🎸"), theme("party", "🎈"), theme("clothes", "🎩"), theme("workshop", "🔧"),
  theme("moods", "🤠"), theme("pictures", "⚓"), theme("numbers", "42"), theme("characters", "Ω"),
];

/** How cards are scored: for the form, and for the page that explains it. */
export const RULES = [
  { name: "pairs", label: "Pairs", match: "+1", miss: "0", remark: "" },
  {
    name: "memorize", label: "Memorize", match: "+2", miss: "−1 for each card that had been seen before",
    remark: "A card has been seen once it was up and turned back. May fall below 0.",
  },
  { name: "easy", label: "Easy", match: "+10", miss: "0", remark: "" },
  { name: "medium", label: "Medium", match: "+10 and the bonus of 0 to 5", miss: "0", remark: "" },
  { name: "hard", label: "Hard", match: "+10 and the bonus of 0 to 5", miss: "−5", remark: "Never below 0." },
];

export const SEATS = [1, 2, 3, 4, 6, 8];

/** @param {Record<string, any>} options */
export function chosen({ preset, columns, rows, theme, seats, rule } = {}) {
  const isShaped = columns !== undefined;
  const board = BOARDS.find(({ options }) => isShaped && options.columns === columns && options.rows === rows)
    ?? BOARDS.find(({ name }) => name === (isShaped ? "custom" : preset));
  return {
    board: board?.name ?? "classic", theme: theme ?? "random", seats: String(seats ?? 4), rule: rule ?? "",
    columns: String(columns ?? 6), rows: String(rows ?? 6),
  };
}

/** @param {Record<string, string>} choice */
export function optionsOf({ board, theme, seats, rule, columns, rows }) {
  const shape = BOARDS.find(({ name }) => name === board)?.options ?? {};
  const sides = board === "custom" ? { columns: Number(columns), rows: Number(rows) } : {};
  return { ...shape, ...sides, theme, seats: Number(seats), ...(rule && { rule }) };
}

/** @param {Record<string, any>} options @returns {string[]} */
export function describe(options) {
  const preset = options.preset ?? "classic";
  const { columns, rows } = { ...BOARDS.find(({ name }) => name === preset)?.options, ...options };
  const facts = [options.pairs ? `${options.pairs} pairs` : columns ? `${columns} × ${rows ?? 4}` : "All cards"];
  const theme = options.theme ?? (preset === "memorize" ? "random" : "animals");
  facts.push(THEMES.find(({ name }) => name === theme)?.label ?? theme);
  const rule = options.rule ?? (RULES.some(({ name }) => name === preset) ? preset : "pairs");
  if (rule !== "pairs") facts.push(`scored ${rule}`);
  return facts;
}
