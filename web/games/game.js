// @ts-check

/**
 * What a game is to the page: the contract of `games/<game>/game.js`, which exports one object of this kind, and which
 * `games/list.js` names. All of a game lies in its folder, and nothing shared is edited for it:
 *
 * - `game.js`: this object; what is drawn, heard or checked comes later, by the functions that import it
 * - `fold.js`: the fold, pure functions of views and events that touch no document
 * - `board.js` and `board.css`: the board; classes and keyframes begin with the game's name
 * - `texts/en.js`, `es.js`, `de.js`, `zh.js`: its words, under keys of its own; one that is missing is said in English
 * - `sounds.js`, `check.js` and `demonstration.js`, where it has any
 *
 * It imports what is shared of `games/`, and `texts/`, `cryptography/` and `store/settings.js`: no page, no view, no
 * other game. `Tests/FlipsideTests/Web/boards.test.js` and `WebHouseTests.swift` hold it to that.
 *
 * @template View what everyone sees of a game: the `view` of a `welcome`, with what `AnyView` has
 * @typedef {Object} Game
 *
 * @property {string} title a key of its texts, or plain English
 * @property {[number, number]} seats the fewest players and the most, as the hub has them
 * @property {string[]} levels the strengths of its computer players, five at most, the weakest first, as the hub has
 *   them: what they are called is the same in all games (`views/names.js`)
 * @property {Texts} [texts] its words; without any its sentences are plain English
 *
 * @property {(started: EventGameStarted) => View} start the view right after `game-started`
 * @property {(view: View, event: RecordedEvent) => View} fold the view after an event of the game's, or `player-left`;
 *   the one given does not change. What is the same in all games `games/room.js` has done before: `turn` sets `turn`
 *   and `deadline`, an outage moves `deadline`
 * @property {string[]} [times] fields of the view that an outage moves beside `deadline`
 *
 * @property {(cell: number) => {type: string, [field: string]: number | string}} move the command for a cell of its
 *   board
 * @property {(view: View, seat: number) => boolean} mayMove
 * @property {(view: View, cell: number) => string} whyNot the key of why the player to move cannot move there now, or
 *   plain English; empty where they can
 * @property {(view: View) => number} [movesLeft] how many moves may be under way at once, else one
 * @property {Button<View>[]} buttons what a player may ask for besides moves
 * @property {Bonus<View>} [bonus] where a move is worth more the sooner it comes
 *
 * @property {(view: View) => boolean} [isBegun] whether there is anything to lose yet where it starts over; always,
 *   where it does not say
 * @property {(view: View) => string} turnText the key of a few words about whose turn it is
 * @property {(event: RecordedEvent, who: (seat: number) => {name: string, isYou: boolean}) => string} sentence what an
 *   event of the game's says; empty where there is nothing to say
 * @property {(view: View) => string} [caption] what is played with, if that is worth a line
 * @property {(view: View, seat: number) => number | undefined} [points] where they are not `view.scores`
 * @property {(view: View) => string} [remaining] what is left to be won, for who cannot see the board
 * @property {(view: View, seat: number) => "black" | "white" | "seat"} [disc] `seat` for a piece of the seat's own:
 *   beside a player's name
 * @property {Record<string, "gain" | "loss">} [marks] its events that are marked on the timeline of a replay
 * @property {Ending<View>} [ending] what is said of a game's end beside who has won
 * @property {() => Explanation[]} [howToPlay] its rules, for the page that tells them
 * @property {() => Promise<{demonstration: Demonstration<View>, miniature?: Demonstration<View>}>} [demonstration]
 *   brings `demonstration.js`: a few moves that the page of the rules plays beside the first of them; and the last
 *   moves of a game, for the picture of it on the first page, where these are others
 *
 * @property {Options} [options] what a host can choose beside the time for a turn
 * @property {string[]} [modes] what results are compared in, of the boards that the form offers: as the hub names them
 * @property {(rule: string) => string} [ruleText] the words for the rule in a mode's name: `hard` of `hard-4x5`
 *
 * @property {(again?: string) => Promise<{board: BoardMaker<View>}>} board brings `board.js`. `again` goes behind the
 *   address of the module, for it is another with each try: browsers keep what did not come
 * @property {string} style the address of `board.css`
 * @property {(again?: string) => Promise<{sounds: Record<string, SoundMaker>, cuesOf: CueFinder}>} [sounds] brings
 *   `sounds.js`, once somebody may hear it
 * @property {(again?: string) => Promise<{dealCheck: DealCheckMaker}>} [check] brings `check.js`, which every game has
 *   in which something is drawn in secret; each of these has a commitment
 * @property {(again?: string) => Promise<SharedResult<View>>} [result] brings `result.js`: what is shared of a game
 *   that is over, of what everybody has seen
 */

/**
 * What the page looks at of a view, whatever the game: numbers for each seat, lists of seats, who ended the game early.
 * @typedef {Object} AnyView
 * @property {number[]} seats
 * @property {number} turn
 * @property {number} [deadline]
 * @property {RoomOptions} [options]
 * @property {Record<string, number>} [scores]
 * @property {Record<string, number>} [turns]
 * @property {number[]} [away]
 * @property {number[]} [left]
 * @property {{seat: number, reason: string}} [lost]
 *
 * @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../net/messages.js").EventGameStarted} EventGameStarted
 * @typedef {import("../net/messages.js").EventDealing} EventDealing
 * @typedef {import("../net/messages.js").Result} Result
 * @typedef {import("../net/messages.js").HubMessage} HubMessage
 * @typedef {import("./room.js").RoomState} RoomState
 *
 * A room's options, and what is said to the hub to change them: null takes back what was asked for before.
 * @typedef {import("../net/messages.js").Options} RoomOptions
 * @typedef {Record<string, string | number | null | undefined>} AskedOptions
 */

/**
 * @typedef {Object} Texts
 * @property {Record<string, string>} en
 * @property {(language: string) => Promise<Record<string, Record<string, string>>>} load brings `texts/<language>.js`,
 *   which exports a table by that name
 */

/**
 * @template View
 * @typedef {Object} Button a command besides moves
 * @property {string} type
 * @property {string} label a key
 * @property {(view: View, seat: number) => string} whyNot the key of why `seat` cannot use it now; empty where it can
 * @property {string} [question] the key of what is asked before
 */

/**
 * @template View
 * @typedef {Object} Bonus points that run out while a move is under way
 * @property {number} lasts in ms; a point a second
 * @property {(view: View) => boolean} isOffered by the options of this game
 * @property {(view: View) => number | undefined} since the hub's time since when it runs, if it does
 */

/**
 * @template View
 * @typedef {Object} Ending
 * @property {(result: Result, view: View | null, isYou: boolean) => string} [title] of a game that one player has
 *   finished
 * @property {(results: Result[], view: View | null) => string} [remark] of one that was finished; often nothing
 */

/**
 * @template View
 * @typedef {Object} Demonstration
 * @property {View} view where it begins
 * @property {[number, {type: string, [field: string]: unknown}][]} steps events, each so many ms behind the one before
 */

/**
 * What is shared of a game that is over, as `result.js` exports it.
 * @template View
 * @typedef {Object} SharedResult
 * @property {(view: View, events: RecordedEvent[]) => Row[]} squares the game's course or its last board, in rows of
 *   emoji; `events` are those of the game
 * @property {(view: View) => {columns: number, tiles: Tile[]}} board the last board in small, row by row
 */

/**
 * @typedef {{seat?: number, squares: string}} Row of a player's, where it has a seat
 * @typedef {{ground?: string, disc?: "black" | "white", seat?: number, text?: string}} Tile what a cell looks
 *   like: the colour of its ground, and a disc on it, or the seat that has it; a few signs on it
 */

/**
 * @typedef {string | {id?: string, head: string[], rows: string[][]}} Explanation a paragraph or a table, in words
 */

/**
 * @typedef {Object} Options
 * @property {(Field | Field[])[]} [shown] the fields that the form shows; a list of fields stands in one row, each to
 *   be chosen from a list
 * @property {(Field | Field[])[]} [folded] those that it folds away at first
 * @property {(options?: RoomOptions) => Record<string, string>} [chosen] what the form shows for a room's
 *   options; without them what stands in it at first. This and the next three are for games whose fields are not each
 *   the hub's option of their name
 * @property {(choice: Record<string, string>) => AskedOptions} [optionsOf] the hub's options for what was chosen
 * @property {(name: string) => string[]} [optionsFor] the hub's options that the field of `name` decides on
 * @property {(options: RoomOptions) => string[]} [describe] a room's options in a few words each, the game first
 * @property {(options: RoomOptions) => string} [remark] what somebody should know before; often nothing
 */

/**
 * @typedef {Object} Field
 * @property {string} name
 * @property {string} label a key of the texts, or plain English
 * @property {() => {value: string | number, label: string, picture?: number[]}[]} choices the first is the hub's own;
 *   `picture`: the columns and rows of a board
 * @property {(choice: Record<string, string>) => boolean} [when] whether it is asked for, by what else is chosen
 */

/**
 * Draws into an empty root, whose class is `<game>-board`, any state given to the function that it returns. Clicks and
 * arrow keys are there already: cells are the root's children, row by row, each with `data-cell`; `data-columns` of the
 * root says how many stand side by side, a hole is a cell that is disabled. A board may lie on its side, its rows seen
 * as columns, where `data-turned` of the root is `true`. It is as large as the felt around it allows, in `cqw` and
 * `cqh`, with no cell below 24 px each way: past that it scrolls there.
 * @template View
 * @typedef {(root: HTMLElement) => (state: BoardState<View>) => void} BoardMaker
 */

/**
 * @template View
 * @typedef {Object} BoardState
 * @property {View} view
 * @property {number} game the number of the game in its room
 * @property {boolean} mayMove whether the viewer may move now
 * @property {Set<number>} asked cells that this page has moved to and has no answer about
 * @property {{width: number, height: number}} space what there is for the board, in px
 * @property {HubMessage} [event] the one that has just led here
 */

/**
 * What a sound is made of; times are in s, frequencies in Hz, loudness from 0 to 1.
 * @typedef {Object} Instrument
 * @property {(tone: Sounding & {to?: number, shape: OscillatorType}) => void} tone
 * @property {(noise: Sounding & {to: number}) => void} hiss
 *
 * @typedef {{at: number, from: number, lasts: number, peak: number}} Sounding
 */

/**
 * @typedef {(play: Instrument, at: number) => void} SoundMaker
 */

/**
 * @typedef {{cue: string, delay: number}} Cue a sound of the game's by its name, so many ms from now
 * @typedef {(message: HubMessage, before: RoomState, after: RoomState) => Cue[]} CueFinder which sounds an event of the
 *   game's calls for, between two states of the room: pure, so that a test hears them
 */

/**
 * Deals a game again from what was told at its end, and compares. `see` is given each event of the game with the view
 * before it, `compare` the words that it was dealt from. `step` names its sentences: `check.<step>.holds` and `.fails`.
 * @typedef {import("../cryptography/random-words.js").Words} Words
 * @typedef {Record<string, string | number | null | undefined>} Values for a sentence
 * @typedef {Object} DealCheck
 * @property {string} step
 * @property {(event: RecordedEvent, view: AnyView | null | undefined) => void} see
 * @property {(words: Words) => {version?: number, values?: Values, holds: boolean}} compare `version` of the event that
 *   does not fit
 */

/**
 * @typedef {(started: EventGameStarted, dealing: EventDealing | null) => DealCheck} DealCheckMaker of a game by its
 *   `game-started`, and what was fixed of it before the words were known: null where nothing was
 */
export {};
