// @ts-check

/**
 * What the page needs of a game: the contract of `games/<game>/game.js`, which exports one such object and is listed in
 * `games/list.js`. A game lies in its folder entirely. A new game edits no shared file:
 *
 * - `game.js`: this object; parts to draw, play sounds and check load later, by the functions that import them
 * - `fold.js`: the fold, pure functions of views and events that touch no document
 * - `board.js` and `board.css`: the board; classes and keyframes start with the game's name
 * - `texts/en.js`, `es.js`, `de.js`, `zh.js`: its words, under keys of its own; English fills in for missing ones
 * - `texts/<part>.en.js`: English words that the first view does without, which that part brings
 * - `sounds.js`, `check.js`, `hands.js` and `demonstration.js`, if it has them
 *
 * It may import the shared files of `games/`, and `texts/`, `cryptography/` and `store/settings.js`, but no page, view
 * or other game. `Tests/FlipsideTests/Web/boards.test.js` and `WebHouseTests.swift` enforce this.
 *
 * @template View what everyone sees of a game: the `view` of a `welcome`, including the fields of `AnyView`
 * @typedef {Object} Game
 *
 * @property {string} title a key of its texts, or plain English
 * @property {[number, number]} seats the fewest and the most players, as the hub has them
 * @property {string[]} levels the strengths of its computer players, five at most, weakest first, as the hub has them;
 *   their names are the same in all games (`views/names.js`)
 * @property {Texts} [texts] its words; without them its sentences are plain English
 *
 * @property {(started: EventGameStarted) => View} start the view right after `game-started`
 * @property {(view: View, event: RecordedEvent) => View} fold the view after an event of this game, or `player-left`;
 *   the given one does not change. `games/room.js` has already done what all games share: `turn` and `turns` set
 *   `awaited` and `deadline`, `game-ended` empties `awaited`, an outage moves `deadline`
 * @property {string[]} [times] fields of the view that an outage moves, besides `deadline`
 * @property {(view: View, seat: number) => number | undefined} [deadline] until when a seat has time, if that is not
 *   `view.deadline` for all
 *
 * @property {(view: View, own: Own) => number} targets how many targets its board has: all that can be pressed,
 *   numbered from 0
 * @property {(target: number, view: View, own: Own) => {type: string, [field: string]: number | string} | null} move
 *   the command for a target; null if the move takes another press, and this one only chooses `target`
 * @property {(view: View, seat: number) => boolean} mayMove
 * @property {(view: View, target: number, own: Own) => string} whyNot the key of the reason why a player who is awaited
 *   cannot move there or choose it now, or plain English; empty if they can
 * @property {(event: HubMessage, view?: View, seat?: number) => number | undefined} [happenedAt] the target at which
 *   an event of this game has happened, which a board too large for the screen brings into sight; `seat` is that of the
 *   viewer
 * @property {(view: View, own: Own) => number} [movesLeft] how many moves may be in flight at once; 1 by default
 * @property {Button<View>[]} buttons what a player may do besides moves
 * @property {Bonus<View>} [bonus] if a quick move is worth more
 *
 * @property {(view: View) => boolean} [isBegun] whether a restart would lose anything yet; always true by default
 * @property {(view: View) => number[]} [movers] the seats to mark as those whose turn it is, if they are not simply
 *   `view.awaited`
 * @property {(view: View) => number | undefined} [movedLast] the seat that made the last move; if the next turn is its
 *   own too, it only continues, and hears no new turn
 * @property {(view: View, seat?: number) => string} turnText the key of a few words about whose turn it is, for the
 *   player on `seat`
 * @property {(event: RecordedEvent, who: (seat: number) => {name: string, isYou: boolean}, view?: View | null,
 *   before?: View | null) => string} sentence describes an event of this game, after which it has this view, and before
 *   which, if it is read aloud, the other; empty if it needs no words
 * @property {(event: RecordedEvent, before: View, seat?: number) => boolean} [isSpoken] whether the sentence of an
 *   event, before which it had this view, is read aloud to the player on `seat`; always by default
 * @property {(view: View) => string} [caption] what the game is played with, if that is worth a line
 * @property {(view: View, seat: number) => number | undefined} [points] if they are not `view.scores`
 * @property {(view: View) => string} [remaining] what is left to win, for players who cannot see the board
 * @property {(view: View, seat: number) => "black" | "white" | "seat"} [disc] the piece beside a player's name; `seat`
 *   for a piece in the seat's colour
 * @property {Record<string, "gain" | "loss">} [marks] events that a replay marks on its timeline
 * @property {Ending<View>} [ending] what the page says about a game's end besides the winner
 * @property {() => Explanation[]} [howToPlay] its rules, for the page that explains them
 * @property {() => Promise<{demonstration: Demonstration<View>, miniature?: Demonstration<View>}>} [demonstration]
 *   brings `demonstration.js`: a few moves that the page of the rules plays beside the first paragraph; and the last
 *   moves of a game for its picture on the home page, if these differ
 *
 * @property {Options} [options] what a host can choose besides the time for a turn
 * @property {string[]} [modes] the modes that compare results, for the boards that the form offers, by the hub's names
 * @property {(mode: string) => string} [modeText] a mode in words, if they are more than its name: `8x8` is "8 × 8"
 *
 * @property {(again?: string) => Promise<{board: BoardMaker<View>}>} board brings `board.js`. `again` follows the
 *   module's address and differs with each try, because browsers remember a module that failed to load
 * @property {string} style the address of `board.css`
 * @property {(again?: string) => Promise<{sounds: Record<string, SoundMaker>, cuesOf: CueFinder}>} [sounds] brings
 *   `sounds.js`, as soon as it may be heard
 * @property {(again?: string) => Promise<{dealCheck: DealCheckMaker}>} [check] brings `check.js`; every game with
 *   secret draws has one, and each such game has a commitment
 * @property {(again?: string) => Promise<{handsOf: HandsOf}>} [hands] brings `hands.js`, if players have hands that
 *   only they see: a replay of a finished game shows them all
 * @property {(again?: string) => Promise<SharedResult<View>>} [result] brings `result.js`: what can be shared of a
 *   finished game, from what everyone has seen
 */

/**
 * What the page reads in a view of any game: numbers for each seat, lists of seats, who ended the game early.
 * @typedef {Object} AnyView
 * @property {number[]} seats
 * @property {number[]} awaited the seats that the game waits for, in order
 * @property {number} [deadline]
 * @property {RoomOptions} [options]
 * @property {Record<string, number>} [scores]
 * @property {Record<string, number>} [turns]
 * @property {number[]} [away]
 * @property {number[]} [left]
 * @property {{seat: number, reason: string}[]} [out] who has gone out of the game, in order
 *
 * What only its player may see of a running game, in the game's own fields.
 * @typedef {Record<string, any>} Hand
 *
 * What the viewer knows and has done besides the view: the own seat and hand, and the target chosen by the first press
 * of a move that takes two. The page drops `chosen` if it is pressed again, by Escape, after the move, and once
 * `whyNot` gives a reason against it. Games whose moves take one press, and that have no hands, ignore it.
 * @typedef {{seat?: number, hand?: Hand, chosen?: number}} Own
 *
 * @typedef {import("../net/messages.js").RecordedEvent} RecordedEvent
 * @typedef {import("../net/messages.js").EventGameStarted} EventGameStarted
 * @typedef {import("../net/messages.js").EventDealing} EventDealing
 * @typedef {import("../net/messages.js").Result} Result
 * @typedef {import("../net/messages.js").HubMessage} HubMessage
 * @typedef {import("./room.js").RoomState} RoomState
 *
 * A room's options, and the message to the hub that changes them: null takes back an earlier choice. Both have `seats`,
 * `turnTime` and those of the game.
 * @typedef {import("../net/messages.js").Options} RoomOptions
 * @typedef {import("../net/messages.js").AskedOptions} AskedOptions
 */

/**
 * @typedef {Object} Texts
 * @property {Record<string, string>} en
 * @property {(language: string) => Promise<Record<string, Record<string, string>>>} load brings `texts/<language>.js`,
 *   which exports a table by that name
 * @property {() => Promise<{en: Record<string, string>}>} [howToPlay] brings `texts/how-to-play.en.js`: the
 *   English sentences of `howToPlay`, if the first view does without them
 */

/**
 * @template View
 * @typedef {Object} Button a command besides moves
 * @property {string} type
 * @property {string} label a key
 * @property {(view: View, seat: number) => string} whyNot the key of the reason why `seat` cannot use it now; empty if
 *   it can
 * @property {string} [question] the key of a question to confirm it
 */

/**
 * @template View
 * @typedef {Object} Bonus points that run out while a move is in progress
 * @property {number} lasts in ms; a point a second
 * @property {(view: View) => boolean} isOffered by the options of this game
 * @property {(view: View, seat?: number) => number | undefined} since when it started for the player on `seat`, by the
 *   hub's clock, if it runs
 */

/**
 * @template View
 * @typedef {Object} Ending
 * @property {(result: Result, view: View | null, isYou: boolean) => string} [title] for a game that one player has
 *   finished
 * @property {(results: Result[], view: View | null) => string} [remark] for any finished game; often empty
 */

/**
 * @template View
 * @typedef {Object} Demonstration
 * @property {View} view where it starts
 * @property {[number, {type: string, [field: string]: unknown}][]} steps events, each so many ms after the last
 * @property {number} [seat] whose page it shows
 * @property {Record<number, Hand>[]} [hands] what that page shows at first, and after each step
 */

/**
 * What is shared of a finished game, as `result.js` exports it.
 * @template View
 * @typedef {Object} SharedResult
 * @property {(view: View, events: RecordedEvent[]) => Row[]} squares the game's course or its final board, in rows of
 *   emoji; `events` are those of the game
 * @property {(view: View) => {columns: number, tiles: Tile[]}} board the final board in small, row by row
 */

/**
 * @typedef {{seat?: number, squares: string}} Row belongs to a player if it has a seat
 * @typedef {{ground?: string, disc?: "black" | "white", seat?: number, text?: string}} Tile what a cell looks like: the
 *   colour of its ground; a disc on it, or the seat that owns it; a few characters on it
 */

/**
 * @typedef {string | {id?: string, head: string[], rows: string[][]}} Explanation a paragraph or a table, in words
 */

/**
 * @typedef {Object} Options
 * @property {(Field | Field[])[]} [shown] the fields that the form shows; a list of fields stands in one row, each as a
 *   drop-down list
 * @property {(Field | Field[])[]} [folded] those that it folds away at first
 * @property {(options?: RoomOptions) => Record<string, string>} [chosen] what the form shows for a room's options;
 *   without options its defaults. Games need this and the next three if a field is not simply the hub's option of the
 *   same name
 * @property {(choice: Record<string, string>) => AskedOptions} [optionsOf] the hub's options for what was chosen
 * @property {(name: string) => string[]} [optionsFor] the hub's options that the field `name` sets
 * @property {(options: RoomOptions) => string[]} [describe] a room's options in a few words each, the game first
 * @property {(options: RoomOptions) => string} [remark] what players should know beforehand; often empty
 * @property {(options: RoomOptions | Record<string, string>) => boolean} [hasTurnTime] whether the form asks for the
 *   time for a turn, given a room's options or what was chosen; always by default. If not always, `chosen` and
 *   `optionsOf` have `turnTime`, and `describe` has words for it
 */

/**
 * @typedef {Object} Field
 * @property {string} name
 * @property {string} label a key of the texts, or plain English
 * @property {() => {value: string | number, label: string, picture?: number[]}[]} choices the first is the hub's
 *   default; `picture`: the columns and rows of a board
 * @property {(choice: Record<string, string>) => boolean} [when] whether the form asks for it, given the other choices
 */

/**
 * Gets an empty root with the class `<game>-board` and returns a function that draws any state into it. What can be
 * pressed are its targets: buttons with a number each, `data-target`, all with the same positioned ancestor. Clicks and
 * arrow keys work already: a key goes to the nearest target that faces the one with the focus, and passes over disabled
 * ones. It is as large as the felt around it allows, in `cqw` and `cqh`, with no target below 24 px each way: a larger
 * board scrolls.
 * @template View
 * @typedef {(root: HTMLElement) => (state: BoardState<View>) => void} BoardMaker
 */

/**
 * @template View
 * @typedef {Object} BoardState
 * @property {View} view
 * @property {number} game the number of the game in its room
 * @property {boolean} mayMove whether the viewer may move now
 * @property {Record<number, Hand>} hands the hands that the viewer may see, by seat: in a room their own, in the
 *   replay of a finished game all of them
 * @property {number} [seat] the viewer's, if they play or have played
 * @property {number} [chosen] as in `Own`
 * @property {(seat: number) => {name: string, isYou: boolean}} [who] the players, where they have names
 * @property {Set<number>} asked targets for which this page has sent moves that have no answer yet
 * @property {{width: number, height: number}} space the space for the board, in px
 * @property {HubMessage} [event] the message that has just led to this state
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
 * @typedef {{cue: string, delay: number}} Cue a sound of this game by its name, `delay` ms from now
 * @typedef {(message: HubMessage, before: RoomState, after: RoomState) => Cue[]} CueFinder the sounds for an event of
 *   this game between two states of the room; pure, so that tests can call it
 */

/**
 * Deals a game again from what its end revealed, and compares. `see` gets each event of the game with the view before
 * it, `compare` the words that dealt it, and what was sealed. `step` names its sentences: `check.<step>.holds` and
 * `.fails`.
 * @typedef {import("../cryptography/random-words.js").Words} Words
 * @typedef {import("./seals.js").Sealed} Sealed
 * @typedef {Record<string, string | number | null | undefined>} Values to fill a sentence in with
 * @typedef {Object} DealCheck
 * @property {string} step
 * @property {(event: RecordedEvent, view: AnyView | null | undefined) => void} see
 * @property {(words: Words, sealed: Sealed) => {version?: number, values?: Values, holds: boolean}} compare `version`
 *   of the event that does not match
 */

/**
 * @typedef {(started: EventGameStarted, dealing: EventDealing | null) => DealCheck} DealCheckMaker for a game by its
 *   `game-started`, and what was fixed before the words were known: null if nothing was
 *
 * @typedef {(started: EventGameStarted, events: RecordedEvent[], words: Words, sealed: Sealed) =>
 *   Record<number, Hand>[]} HandsOf the hands of all seats right after `game-started`, and after each of `events`; pure
 */
export {};
