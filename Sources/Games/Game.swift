import Cryptography
import JSON

/// Milliseconds: of a point in time since 1970 (UTC), of a span as they are.
public typealias Milliseconds = Int

/// A place at the table, from 0; turns go round in this order.
public struct Seat: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: Seat, right: Seat) -> Bool { left.rawValue < right.rawValue }
}

/// A game: a pure fold over its events. It knows no clock, no randomness, no I/O, no JSON, and nothing of rooms but
/// what the room tells it. `decide`, `wake`, `leave` and `act` judge and change nothing; `apply` records and cannot
/// fail.
///
/// The room calls them in this order: `options` when it opens and when the host changes them; `setup` when a game
/// starts; `init`; then `opening`, whose events go into the log with `game-started`; then whatever the players do. It
/// applies each event once it is durable, and ends the game when `outcome` is no longer nil.
///
/// What the room appends it has read back and applied to a copy before. A game whose events do not fit, or that has no
/// event at its deadline, no legal command at its turn, or no result of who leaves, is ended by the room (`fault`, with
/// no results); nobody else notices. A trap in a game ends the hub.
///
/// The same type also folds the public log, with `seed` nil: `apply` never needs the seed, and `view` is then the same.
///
/// What is written of an event is `fields(of:)`: all of it is shown to everyone. The one secret is the seed, which a
/// game keeps from `view` and `fields(of:)`. (A game with something for one seat alone, a hand of cards, would give it
/// beside `fields(of:)`.)
public protocol Game: ErasedGame, Sendable, Equatable {
    associatedtype Setup: GameSetup
    associatedtype Command: GameCommand
    associatedtype Event: GameEvent
    associatedtype Computer: ComputerPlayer where Computer.Played == Self

    /// As in `POST /api/rooms` and in every log: `memory`.
    static var name: String { get }
    /// What people call it, by language: `en`, `es`, `de`, `zh`. Its name stands where there is none.
    static var titles: [String: String] { get }
    /// The board that a room with these options has, where rooms have different ones and it is known before the game
    /// begins.
    static func board(_ options: Fields) -> (columns: Int, rows: Int)?
    /// How many seats a room may have. It has the most of them, unless its option `seats` says otherwise.
    static var seats: ClosedRange<Int> { get }
    /// Whether something is drawn for each game: such rooms have a server seed, a commitment and a reveal.
    static var isDealt: Bool { get }

    /// The options of a room as asked for, checked: what is out of range or unknown is refused with the range. What was
    /// not asked for stays out; `setup` fills it in. `seats` and `turnTime` are among them: all of a room's options
    /// are.
    static func options(_ asked: Fields) throws(Rejection) -> Fields

    /// A game's options resolved, and what else is fixed before the game's seed is known. `draw` is for what is chosen
    /// at random in the open (a theme); what follows from the seed is `GameSetup.dealt` and `init`.
    static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup

    /// - Parameters:
    ///   - setup: dealt, where the game has a seed.
    ///   - players: the seats that play, in the order of turns: at least one, each once.
    ///   - first: the one of `players` whose turn is first.
    ///   - seed: the game's seed (the deck); nil in a fold of the public log, and in games that are not dealt.
    init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds)

    /// What belongs behind `game-started` in the same commit: the first `turn`.
    func opening(at time: Milliseconds) -> [Event]

    /// What `command` leads to. Called only while the game runs, for a seat that plays, after what `wake` (where `now`
    /// has reached `deadline`) and then `act` lead to.
    func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event]

    /// The moves that `seat` may make now: commands that `decide` takes from it, and that bring the game on. None
    /// unless it is this seat's `turn`.
    ///
    /// What ends a game early or only puts it off (resigning, a shuffle) is not among them: a computer of
    /// last resort picks any of these, and whoever does so for long enough comes to the game's end.
    func legalCommands(for seat: Seat) -> [Command]

    /// Whose move the game waits for; nil while it waits for nobody (cards are about to turn back, the game is over).
    var turn: Seat? { get }

    /// The next time at which something happens by itself (cards turn back, a turn is up); nil if nothing will.
    var deadline: Milliseconds? { get }
    /// What happens at `deadline`: one event or more, after which `deadline` is later than `now`; nothing before `now`
    /// has reached it.
    func wake(at now: Milliseconds) -> [Event]

    /// The player of `seat` is gone for good: what comes before `player-left` and what behind it, in one commit. Called
    /// with the state before all of them.
    func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event])
    /// Whether the player of `seat` is marked away: the game has waited in vain, and others may act for the player.
    func isAway(_ seat: Seat) -> Bool
    /// The player of `seat` has said or done anything: somebody marked away is back. Nothing once that is recorded.
    func act(_ seat: Seat, at now: Milliseconds) -> [Event]

    /// Records `event`. One that does not fit changes nothing or little, and never traps.
    mutating func apply(_ event: Event, at time: Milliseconds)
    /// The player of `seat` left (`player-left`); its results are kept as they stand.
    mutating func applyLeaving(of seat: Seat, at time: Milliseconds)
    /// `span` ms did not count, for the hub was not running: all that runs moves on by that much.
    mutating func extendClock(by span: Milliseconds)

    /// What the log and everybody sees of `event`, besides version, time and type. No field is called `v`, `t`, `type`
    /// or `more`: an event begins with these.
    func fields(of event: Event) -> Fields
    /// Reads an event back from a log; nil if its fields do not fit, or if it cannot happen in this state.
    func event(_ kind: Event.Kind, fields: Fields) -> Event?

    /// Everything that players and spectators may see, and nothing else: the game's part of `welcome`.
    var view: Fields { get }
    /// Whether anybody has moved: a game that is dealt anew before is nobody's to be recorded.
    var hasMoves: Bool { get }
    /// Not nil once the game is over by its own rules.
    var outcome: Outcome? { get }
    /// The results of all who played, as they stand now: for a game that the room ends (restart, closed, left).
    func results(at time: Milliseconds) -> [PlayerResult]
}

// What most games have no use for.
extension Game {
    public static var titles: [String: String] { [:] }
    public static func board(_ options: Fields) -> (columns: Int, rows: Int)? { nil }
    /// Nothing but what `applyLeaving` does.
    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) { ([], []) }
    /// Nobody is ever marked away.
    public func isAway(_ seat: Seat) -> Bool { false }
    public func act(_ seat: Seat, at now: Milliseconds) -> [Event] { [] }
}

/// What is fixed when a game starts, as `game-started` shows it.
public protocol GameSetup: Sendable, Equatable {
    /// All options, resolved: the `options` of `game-started`.
    var options: Fields { get }
    /// The game's own fields of `game-started` (Memory: `theme`, `board`).
    var fields: Fields { get }
    /// Reads both back from a log; nil if they do not fit.
    init?(options: Fields, fields: Fields)
    /// Which of the game's boards and rules this is: results are compared within one mode. `hard-4x5`, `8x8`.
    var mode: String { get }
    /// This setup with what follows from the game's seed and is shown all the same (a number of pairs drawn from a
    /// range): what `game-started` holds. Itself, unless the game says otherwise.
    func dealt(from seed: Digest) -> Self
}

extension GameSetup {
    public func dealt(from seed: Digest) -> Self { self }
}

/// What a player asks of a game.
public protocol GameCommand: Sendable, Equatable {
    /// One case a command, named as a client sends it: `flip`. No name may be one of the room's own.
    associatedtype Kind: RawRepresentable<String>, CaseIterable, Sendable

    /// Throws if `fields` do not fit.
    init(_ kind: Kind, fields: Fields) throws(Rejection)
    var kind: Kind { get }
    /// What a client sends beside `type` and `id`.
    var fields: Fields { get }
}

/// What has happened in a game.
public protocol GameEvent: Sendable, Equatable {
    /// One case a kind of event, named as in the log: `show-card`. No name may be one of the room's own.
    associatedtype Kind: RawRepresentable<String>, CaseIterable, Sendable

    var kind: Kind { get }
}

extension GameCommand {
    /// As a client sends it: `flip`.
    public var type: String { kind.rawValue }
}

extension GameEvent {
    /// As in the log: `show-card`.
    public var type: String { kind.rawValue }
}

/// How a game ended.
public struct Outcome: Sendable, Equatable {
    /// Why, as in `game-ended`. (`restart`, `closed` and `fault` are the room's.)
    public enum Reason: String, Sendable, CaseIterable {
        /// Played to its end.
        case finished
        /// Nobody does anything that would bring it on.
        case stalled
        /// Everybody has gone.
        case left
        /// Somebody's time is up.
        case time
        case resigned
    }

    public let reason: Reason
    /// Of all who played, those who left included, in the order of turns.
    public let results: [PlayerResult]

    public init(reason: Reason, results: [PlayerResult]) {
        self.reason = reason
        self.results = results
    }
}

/// What a game records of one player.
public struct PlayerResult: Sendable, Equatable {
    public let seat: Seat
    /// The higher the better; equal scores share the place.
    public let score: Int
    /// The game's own figures, in order (Memory: turns, pairs).
    public let figures: Fields
    /// Time played, without the time in which the hub was not running.
    public let time: Milliseconds
    /// Whether the player left before the end; the score is the one of that moment.
    public let isLeftEarly: Bool
    /// 1 for the winner, where it does not follow from the scores; nil where it does.
    public let place: Int?

    public init(
        seat: Seat, score: Int, figures: Fields, time: Milliseconds, isLeftEarly: Bool, place: Int? = nil
    ) {
        self.seat = seat
        self.score = score
        self.figures = figures
        self.time = time
        self.isLeftEarly = isLeftEarly
        self.place = place
    }
}

/// Why a command or a request is refused: nothing has changed. A stable code, a sentence for a person, and the values
/// it is about.
public struct Rejection: Error, Sendable, Equatable {
    /// For programs: `no-such-cell`. It keeps its meaning for ever.
    public let code: String
    /// For a person, in English.
    public let sentence: String
    /// What it is about (`cell`, `range`), so that a page can say it in its own language.
    public let values: Fields

    /// A code is a word of the program's, known when it is built: it is counted, and told to whoever runs a hub.
    public init(_ code: StaticString, _ sentence: String, values: Fields = [:]) {
        self.code = code.description
        self.sentence = sentence
        self.values = values
    }
}

extension Rejection {
    /// Also of a seat that does not play.
    public static let notYourTurn = Rejection("not-your-turn", "It is not your turn.")
    /// There is no game, or it is over.
    public static let notRunning = Rejection("not-running", "No game is running.")

    /// A field of a command that is missing, or of a type that it cannot have.
    public static func badField(_ name: String, _ expected: String) -> Rejection {
        Rejection("bad-field", "\(name) must be \(expected).", values: ["field": .string(name)])
    }
}
