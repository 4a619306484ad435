// @ts-check
import { text } from "../texts/texts.js";
import { games } from "./list.js";

/**
 * What a host can choose for a room of any game: words for the form and for lists, options for the hub. What a
 * game has besides the time for a turn is in its `options`.
 * @typedef {import("./game.js").Field} Field
 * @typedef {import("./game.js").RoomOptions} RoomOptions
 * @typedef {import("./game.js").AskedOptions} AskedOptions
 */

/** In seconds; 0 is no limit. Without a request the hub chooses: 30 with others, none for one person. */
const TURN_TIMES = [15, 30, 60, 0];

/**
 * What every room has.
 * @type {Field}
 */
export const TURN_TIME = {
  name: "turnTime", label: "option.turn-time",
  choices: () => [{ value: "", label: text("option.time-with-others", { time: duration(30) }) },
    ...TURN_TIMES.map((value) => ({ value, label: value ? duration(value) : text("option.no-time") }))],
};

/**
 * Whether turns can have a time limit, given a room's options or what was chosen.
 * @param {string} game
 * @param {RoomOptions | Record<string, string>} options
 */
export const hasTurnTime = (game, options) => games[game]?.options?.hasTurnTime?.(options) ?? true;

/** The level of a computer that a beginner can beat. */
export function fittingLevel(/** @type {string} */ game) {
  const { levels } = games[game];
  return levels[Math.floor(levels.length / 3)];
}

/** The game in an untouched form. */
const firstGame = () => Object.keys(games)[0];

/**
 * @param {string} game
 * @param {"shown" | "folded"} part
 * @returns {(Field | Field[])[]}
 */
export const fieldsOf = (game, part) => games[game]?.options?.[part] ?? [];

/**
 * @param {string} game
 * @returns {Field[]}
 */
const allFields = (game) => [...fieldsOf(game, "shown"), ...fieldsOf(game, "folded")].flat();

/**
 * The names of everything that is chosen for a room of a game.
 * @param {string} game
 */
export const fieldNames = (game) => [...allFields(game), TURN_TIME].map(({ name }) => name);

/** Choices that are not a room's options: the strength and the number of computers. */
const OWN = ["game", "level", "seats"];

/**
 * What is chosen for a game on the home page, with `kept` from before; a kept value that is no longer offered counts as
 * not chosen.
 * @param {string} game
 * @param {Record<string, string> | null} kept
 * @returns {Record<string, string>}
 */
export function chosenFor(game, kept) {
  const fields = [...allFields(game), TURN_TIME];
  const isOffered = (/** @type {[string, string]} */ [name, value]) => (name === "level"
    ? games[game].levels.includes(value) : fields.some((field) => field.name === name && choiceOf(field, value)));
  const own = Object.entries(kept ?? {}).filter(isOffered);
  return { ...chosen(game), level: fittingLevel(game), ...Object.fromEntries(own) };
}

/**
 * Whether a room with `options` plays what was chosen. What was not chosen may have any value.
 * @param {string} game
 * @param {Record<string, string> | null} kept
 * @param {RoomOptions} options
 */
export function isChoiceMet(game, kept, options) {
  // As a room with this choice would have it.
  const roomOf = (/** @type {Record<string, string>} */ choice) =>
    chosen(game, /** @type {RoomOptions} */ (optionsOf(choice).options));
  const before = roomOf(chosen(game)), wanted = roomOf(chosenFor(game, kept)), there = chosen(game, options);
  // Skips what another choice hides: the sides of a preset board.
  const isAsked = (/** @type {string} */ name) => !OWN.includes(name)
    && allFields(game).find((field) => field.name === name)?.when?.(wanted) !== false;
  return Object.keys(wanted).filter(isAsked)
    .every((name) => wanted[name] === before[name] || wanted[name] === there[name]);
}

/**
 * The choices that differ from the page's defaults, in a few words each.
 * @param {string} game
 * @param {Record<string, string> | null} kept
 */
export function factsChosen(game, kept) {
  const before = factsOfChoice(chosen(game));
  return factsOfChoice(chosenFor(game, kept)).filter((fact) => !before.includes(fact));
}

function factsOfChoice(/** @type {Record<string, string>} */ choice) {
  const { game, options: { turnTime, ...asked } } = optionsOf(choice);
  const set = Object.entries(turnTime === null ? asked : { ...asked, turnTime }).filter(([, value]) => value !== null);
  return describe(game, /** @type {RoomOptions} */ (Object.fromEntries(set)));
}

/**
 * The choice of a field that `value` selects, as an option or as the form has it.
 * @param {Field} field
 */
const choiceOf = (field, /** @type {unknown} */ value) =>
  field.choices().find((one) => String(one.value) === String(value));

/**
 * The page's defaults, or the closest that the form has to a room's options.
 * @param {string} [game]
 * @param {RoomOptions} [options] a room's
 * @returns {Record<string, string>}
 */
export function chosen(game = firstGame(), options) {
  const own = games[game]?.options?.chosen?.(options)
    ?? Object.fromEntries(allFields(game).map((field) => [field.name, valueOf(field, options)]));
  return { game, turnTime: String(options?.turnTime ?? ""), ...own };
}

/**
 * None of its choices if a room has a value that the form does not offer.
 * @param {Field} field
 */
function valueOf(field, /** @type {AskedOptions} */ options = {}) {
  const choice = field.name in options ? choiceOf(field, options[field.name]) : field.choices()[0];
  return String(choice?.value ?? "");
}

/**
 * The game and the hub's options for what was chosen.
 * @param {Record<string, string>} choice
 * @returns {{game: string, options: AskedOptions}}
 */
export function optionsOf({ game, ...choice }) {
  const { turnTime } = choice, own = games[game]?.options?.optionsOf?.(choice)
    ?? Object.fromEntries(allFields(game).map((field) => [field.name, choiceOf(field, choice[field.name])?.value]));
  return { game, options: { turnTime: turnTime ? Number(turnTime) : null, ...own } };
}

/**
 * The hub's options for what was chosen differently from `before`. A room may have options that the form does not
 * offer; what was not touched stays as it is.
 * @param {Record<string, string>} before
 * @param {Record<string, string>} choice
 * @returns {AskedOptions}
 */
export function changesOf(before, choice) {
  const optionsFor = games[choice.game]?.options?.optionsFor ?? ((name) => [name]);
  const changed = Object.keys(choice).filter((name) => choice[name] !== before[name]).flatMap(optionsFor);
  return Object.fromEntries(Object.entries(optionsOf(choice).options).filter(([name]) => changed.includes(name)));
}

/**
 * What players should know about a game before it starts; often empty.
 * @param {string} game
 * @param {RoomOptions} options
 */
export const remarkOn = (game, options) => games[game]?.options?.remark?.(options) ?? "";

/**
 * A room's game and options in a few words each.
 * @param {string} game
 * @param {RoomOptions} options
 */
export function describe(game, options) {
  const facts = games[game]?.options?.describe?.(options)
    ?? [text(games[game]?.title ?? game), ...factsOf(game, options)];
  const time = options.turnTime;
  if (time === undefined || !hasTurnTime(game, options)) return facts;
  return [...facts, time ? text("fact.turn-time", { time: duration(time) }) : text("fact.no-time")];
}

/**
 * What can be chosen for a room, with the current choice: a chip opens the fields of `names`. A field that depends on
 * another one's choice shares its chip.
 * @typedef {{names: string[], label: string, value: string}} Chip
 * @param {string} game
 * @param {RoomOptions} options with the room's seats
 * @returns {Chip[]}
 */
export function chipsOf(game, options) {
  const choice = chosen(game, options);
  const chips = /** @type {Chip[]} */ ([{ names: [], label: "", value: text(games[game]?.title ?? game) }]);
  for (const field of hasTurnTime(game, choice) ? [...allFields(game), TURN_TIME] : allFields(game)) {
    const value = choiceOf(field, choice[field.name])?.label ?? otherValue(field, game, options);
    if (field.when) {
      const last = chips[chips.length - 1];
      last.names.push(field.name);
      if (field.when(choice)) last.value += ` · ${value}`;
    } else {
      chips.push({ names: [field.name], label: text(field.label), value });
    }
  }
  return chips;
}

/**
 * The label of the field `name`, in words.
 * @param {string} game
 * @param {string} name
 */
export const labelOf = (game, name) =>
  text([...allFields(game), TURN_TIME].find((field) => field.name === name)?.label ?? "");

/**
 * A room's value that is none of a field's choices, as well as words can say it.
 * @param {Field} field
 * @param {string} game
 * @param {RoomOptions} options
 */
function otherValue(field, game, options) {
  const { optionsFor = (/** @type {string} */ name) => [name] } = games[game]?.options ?? {};
  if (optionsFor(field.name).join() === TURN_TIME.name) return duration(Number(options.turnTime));
  const { [field.name]: value } = /** @type {AskedOptions} */ (options);
  return value === undefined || value === null ? describe(game, options)[0] : String(value);
}

/** The requests that differ from the hub's defaults, in the form's words. */
const factsOf = (/** @type {string} */ game, /** @type {AskedOptions} */ options) => allFields(game)
  .filter((field) => field.name in options && String(options[field.name]) !== String(field.choices()[0].value))
  .map((field) => choiceOf(field, options[field.name])?.label ?? `${text(field.label)}: ${options[field.name]}`);

/**
 * Seconds in the words of a clock: "12 s", "3:20", "5 h", "2 days".
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 100) return text("time.seconds", { count: seconds });
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds < 172_800) return text("time.hours", { count: Math.round(seconds / 3_600) });
  return text("time.days", { count: Math.round(seconds / 86_400) });
}
