import Cryptography
import JSON

/// Milliseconds, of a point in time since 1970 (UTC) or of a span.
public typealias Milliseconds = Int

/// A place at the table, from 0. Turns follow this order.
public struct Seat: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public init(_ rawValue: Int) { self.rawValue = rawValue }
    public static func < (left: Seat, right: Seat) -> Bool { left.rawValue < right.rawValue }
}

/// A game: a pure fold over its events. It has no clock, no randomness, no I/O and no JSON, and knows only what the
/// room tells it. `decide`, `wake`, `leave` and `act` judge and change nothing; `apply` records and cannot fail.
///
/// The room calls them in this order: `options` when it opens and when the host changes them; `setup` when a game
/// starts; `init`; then `opening`, whose events are logged with `game-started`; then `decide` and the others as play
/// continues. It applies each event once it is durable, and ends the game when `outcome` is no longer nil.
///
/// Before the room appends events, it reads them back and applies them to a copy. It ends a game whose events do not
/// fit, or that has no event at its deadline, no legal command for a seat that it awaits, or no result for a player who
/// leaves (`fault`, with no results). Other rooms do not notice. A trap in a game ends the hub.
///
/// The same type also folds the public log, with a nil `seed`. `apply` never needs the seed, and `view` is the same.
///
/// An event is written as `fields(of:)`, and everyone sees all of it. What follows from the seed is secret: a game
/// keeps it out of `view` and `fields(of:)`. What one player alone may know of it is that player's `hand(of:)`. What no
/// one may know yet of a player's choice is sealed (`sealedFields(of:)`).
public protocol Game: ErasedGame, Sendable, Equatable {
    associatedtype Setup: GameSetup
    associatedtype Command: GameCommand
    associatedtype Event: GameEvent
    associatedtype Computer: ComputerPlayer where Computer.Played == Self

    /// As in `POST /api/rooms` and in every log: `memory`.
    static var name: String { get }
    /// What people call it, by language: `en`, `es`, `de`, `zh`. `name` is used for any other.
    static var titles: [String: String] { get }
    /// The board of a room with these options; nil if all rooms have the same, or if it is only known once the game
    /// starts.
    static func board(_ options: Fields) -> (columns: Int, rows: Int)?
    /// How many seats a room may have. It has the maximum unless its option `seats` says otherwise.
    static var seats: ClosedRange<Int> { get }
    /// Whether each game draws something. Rooms of such games have a server seed, a commitment and a reveal.
    static var isDealt: Bool { get }

    /// Checks the requested options of a room. A value that is unknown or out of range is refused with the range.
    /// Options that were not requested stay out, and `setup` fills them in. All options of a room are checked here,
    /// also `seats` and `turnTime`.
    static func options(_ asked: Fields) throws(Rejection) -> Fields

    /// Resolves a game's options, and fixes everything else that does not depend on the game's seed. `draw` is for
    /// public random choices (a theme). `GameSetup.dealt` and `init` derive the rest from the seed.
    static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup

    /// - Parameters:
    ///   - setup: dealt, if the game has a seed.
    ///   - players: the seats that play, in the order of turns: at least one, each once.
    ///   - first: the one of `players` whose turn is first.
    ///   - seed: the game's seed (the deck); nil in a fold of the public log, and in games that are not dealt.
    init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds)

    /// The events that follow `game-started` in the same commit: the first `turn`.
    func opening(at time: Milliseconds) -> [Event]

    /// The events of `command`. Only called while the game runs, for a seat that plays, after the events of `wake` (if
    /// `now` has reached `deadline`) and then of `act`.
    func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event]

    /// The moves that `seat` may make now: commands that `decide` accepts and that bring the game closer to its end.
    /// Empty unless the seat is `awaited`.
    ///
    /// Commands that end a game early or delay it (resigning, a shuffle) are not included. A computer of last resort
    /// picks any of these moves, and must get to the end of the game with them.
    func legalCommands(for seat: Seat) -> [Command]

    /// The seats that the game waits for: the one whose turn it is, or all that may still choose. Any of them may act;
    /// the room judges one command at a time. Empty if it waits for none (cards are about to turn back, the game is
    /// over).
    var awaited: Set<Seat> { get }

    /// The next time at which something happens by itself (cards turn back, a turn runs out); nil if there is none.
    var deadline: Milliseconds? { get }
    /// The events at `deadline`: one or more, after which `deadline` is later than `now`; none before `deadline`.
    func wake(at now: Milliseconds) -> [Event]

    /// The player of `seat` has left for good. Returns the events before and after `player-left`, in one commit. Called
    /// with the state before all of them.
    func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event])
    /// Whether the player of `seat` is marked away: the game has waited in vain, and others may act for this player.
    func isAway(_ seat: Seat) -> Bool
    /// The player of `seat` has said or done something, so a player who was marked away is back. Empty once that is
    /// recorded.
    func act(_ seat: Seat, at now: Milliseconds) -> [Event]

    /// Records `event`. One that does not fit changes nothing or little, and never traps.
    mutating func apply(_ event: Event, at time: Milliseconds)
    /// The player of `seat` left (`player-left`). The player's results are kept as they are.
    mutating func applyLeaving(of seat: Seat, at time: Milliseconds)
    /// The hub was not running for `span` ms, which do not count: all running times move by that much.
    mutating func extendClock(by span: Milliseconds)

    /// What the log and everyone sees of `event`, besides version, time and type. No field may be called `v`, `t`,
    /// `type`, `more` or `seal`, which rooms use.
    func fields(of event: Event) -> Fields
    /// Reads an event from a log; nil if its fields do not fit, or if it cannot happen in this state.
    func event(_ kind: Event.Kind, fields: Fields) -> Event?
    /// Whether events of this kind have sealed fields: each of them, or none.
    static func isSealed(_ kind: Event.Kind) -> Bool
    /// What of `event` no one is to see until a later event shows it (a bid); nil for most. The log keeps it sealed,
    /// and shows its SHA-256 as `seal`. What a player has sealed belongs in the player's `hand`.
    func sealedFields(of event: Event) -> Fields?
    /// `event`, as `event(_:fields:)` has read it, with what was sealed of it; nil if that does not fit. Not called in
    /// a fold of the public log.
    func event(_ event: Event, unsealing fields: Fields) -> Event?

    /// Exactly what players and spectators may see: the game's part of `welcome`, to which the room adds `awaited`.
    var view: Fields { get }
    /// What the player of `seat` may see besides `view`, and no one else: a hand of cards. It follows from the seed and
    /// the events. While the game runs every seat that plays has one, or none has. Nil in a fold of the public log.
    func hand(of seat: Seat) -> Fields?
    /// Whether any player has moved. A game that is dealt again before that is not recorded.
    var hasMoves: Bool { get }
    /// Not nil once the game is over by its own rules.
    var outcome: Outcome? { get }
    /// The current results of all players, for a game that the room ends (restart, closed, left).
    func results(at time: Milliseconds) -> [PlayerResult]
}

// Defaults that suit most games.
extension Game {
    public static var titles: [String: String] { [:] }
    public static func board(_ options: Fields) -> (columns: Int, rows: Int)? { nil }
    /// No events; only `applyLeaving` matters.
    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) { ([], []) }
    /// No player is ever marked away.
    public func isAway(_ seat: Seat) -> Bool { false }
    public func act(_ seat: Seat, at now: Milliseconds) -> [Event] { [] }
    /// Nothing is sealed.
    public static func isSealed(_ kind: Event.Kind) -> Bool { false }
    public func sealedFields(of event: Event) -> Fields? { nil }
    public func event(_ event: Event, unsealing fields: Fields) -> Event? { nil }
    /// No hands.
    public func hand(of seat: Seat) -> Fields? { nil }
}

/// What is fixed when a game starts, as `game-started` shows it.
public protocol GameSetup: Sendable, Equatable {
    /// All options, resolved: the `options` of `game-started`.
    var options: Fields { get }
    /// The game's own fields of `game-started` (Memory: `theme`, `board`).
    var fields: Fields { get }
    /// Reads both from a log; nil if they do not fit.
    init?(options: Fields, fields: Fields)
    /// The game's board and rules. Results are compared within one mode. `hard-4x5`, `8x8`.
    var mode: String { get }
    /// This setup with everything public that follows from the game's seed (a number of pairs drawn from a range), as
    /// in `game-started`. By default the setup itself.
    func dealt(from seed: Digest) -> Self
}

extension GameSetup {
    public func dealt(from seed: Digest) -> Self { self }
}

/// What a player asks of a game.
public protocol GameCommand: Sendable, Equatable {
    /// One case for each command, named as a client sends it: `flip`. The room's own names are not allowed.
    associatedtype Kind: RawRepresentable<String>, CaseIterable, Sendable

    /// Throws if `fields` do not fit.
    init(_ kind: Kind, fields: Fields) throws(Rejection)
    var kind: Kind { get }
    /// What a client sends besides `type` and `id`.
    var fields: Fields { get }
}

/// What has happened in a game.
public protocol GameEvent: Sendable, Equatable {
    /// One case for each kind of event, named as in the log: `show-card`. The room's own names are not allowed.
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
        /// No player makes progress.
        case stalled
        /// All players have left.
        case left
        /// A player's time ran out.
        case time
        case resigned
    }

    public let reason: Reason
    /// Of all players, including those who left, in the order of turns.
    public let results: [PlayerResult]

    public init(reason: Reason, results: [PlayerResult]) {
        self.reason = reason
        self.results = results
    }
}

/// What a game records about one player.
public struct PlayerResult: Sendable, Equatable {
    public let seat: Seat
    /// The higher the better; equal scores share a place.
    public let score: Int
    /// The game's own figures, in order (Memory: turns, pairs). The leaderboard lists equal scores by `turns`, the
    /// fewest first, if a game has them.
    public let figures: Fields
    /// Time played, without the time in which the hub was not running.
    public let time: Milliseconds
    /// Whether the player left before the end; the score is from that moment.
    public let isLeftEarly: Bool
    /// 1 for the winner if it does not follow from the scores; nil if it does.
    public let place: Int?

    public init(seat: Seat, score: Int, figures: Fields, time: Milliseconds, isLeftEarly: Bool, place: Int? = nil) {
        self.seat = seat
        self.score = score
        self.figures = figures
        self.time = time
        self.isLeftEarly = isLeftEarly
        self.place = place
    }
}

/// Why a command or a request is refused, with nothing changed: a stable code, a sentence for a person, and the values
/// that it is about.
public struct Rejection: Error, Sendable, Equatable {
    /// For programs: `no-such-cell`. Its meaning never changes.
    public let code: String
    /// For a person, in English.
    public let sentence: String
    /// The values that it is about (`cell`, `range`), so that a page can say it in its own language.
    public let values: Fields

    /// A code is a word of the program, known when it is built, since it is counted and shown to operators.
    public init(_ code: StaticString, _ sentence: String, values: Fields = [:]) {
        self.code = code.description
        self.sentence = sentence
        self.values = values
    }
}

extension Rejection {
    /// Also for a seat that does not play.
    public static let notYourTurn = Rejection("not-your-turn", "It is not your turn.")
    /// There is no game, or it is over.
    public static let notRunning = Rejection("not-running", "No game is running.")

    /// A field of a command is missing or has a wrong type.
    public static func badField(_ name: String, _ expected: String) -> Rejection {
        Rejection("bad-field", "\(name) must be \(expected).", values: ["field": .string(name)])
    }
}
