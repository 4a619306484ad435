import Cryptography
import JSON

/// A command or event in the form in which rooms use it for all games: a type name and fields.
public struct GameStep: Sendable, Equatable {
    /// As in the log: `show-card`.
    public let type: String
    /// What the log and everyone sees, besides version, time and type.
    public let fields: Fields
    /// What only the hub knows of an event until a later one shows it; nil for most.
    public var sealed: SealedFields?

    public init(type: String, fields: Fields, sealed: SealedFields? = nil) {
        self.type = type
        self.fields = fields
        self.sealed = sealed
    }
}

/// What a room asks of its game for every command and event. The compiler makes these functions for each game, since
/// functions of `any Game` alone would cost several times as much.
public protocol ErasedGame {
    static func hasCommand(_ type: String) -> Bool
    /// As `decide`, for a command by name; nil if this game has none of that name.
    func decide(_ type: String, _ fields: Fields, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [GameStep]?
    /// As `wake`.
    func wakeSteps(at now: Milliseconds) -> [GameStep]
    /// As `act`.
    func actSteps(_ seat: Seat, at now: Milliseconds) -> [GameStep]
    /// Records an event from a log; false, with nothing changed, if it is not one of this game's or does not fit its
    /// state.
    mutating func apply(_ step: GameStep, at time: Milliseconds) -> Bool
}

extension Game {
    /// The names of all commands of this game.
    public static var commandTypes: [String] { Command.Kind.allCases.map(\.rawValue) }
    /// The names of all events of this game.
    public static var eventTypes: [String] { Event.Kind.allCases.map(\.rawValue) }

    public static func hasCommand(_ type: String) -> Bool { Command.Kind(rawValue: type) != nil }

    /// The number of seats of a room with these options: the option `seats`, or all that the game allows.
    public static func seatCount(_ options: Fields) -> Int {
        options["seats"]?.integer.flatMap { seats.contains($0) ? $0 : nil } ?? seats.upperBound
    }

    public func decide(_ type: String, _ fields: Fields, by seat: Seat, at now: Milliseconds) throws(Rejection)
        -> [GameStep]?
    {
        guard let kind = Command.Kind(rawValue: type) else { return nil }
        return steps(try decide(Command(kind, fields: fields), by: seat, at: now))
    }

    /// As `legalCommands`.
    public func legalSteps(for seat: Seat) -> [GameStep] {
        legalCommands(for: seat).map { GameStep(type: $0.type, fields: $0.fields) }
    }

    /// Reads an event from a log; nil if this game has none of this type, or if it does not fit its state.
    public func event(type: String, fields: Fields) -> Event? {
        Event.Kind(rawValue: type).flatMap { event($0, fields: fields) }
    }

    /// The same, with what is sealed of it, if that is known. Nil also if a seal is missing, or there should be none.
    public func event(_ step: GameStep) -> Event? {
        guard let kind = Event.Kind(rawValue: step.type), Self.isSealed(kind) == (step.sealed != nil),
            let event = event(kind, fields: step.fields)
        else { return nil }
        guard case .known(let fields, _) = step.sealed else { return event }
        return self.event(event, unsealing: fields)
    }

    /// As `opening`.
    public func openingSteps(at time: Milliseconds) -> [GameStep] { steps(opening(at: time)) }
    public func wakeSteps(at now: Milliseconds) -> [GameStep] { steps(wake(at: now)) }
    /// As `leave`; `player-left` comes between the two.
    public func leaveSteps(_ seat: Seat, at now: Milliseconds) -> (before: [GameStep], after: [GameStep]) {
        let events = leave(seat, at: now)
        return (steps(events.before), steps(events.after))
    }
    public func actSteps(_ seat: Seat, at now: Milliseconds) -> [GameStep] { steps(act(seat, at: now)) }

    public mutating func apply(_ step: GameStep, at time: Milliseconds) -> Bool {
        guard let event = event(step) else { return false }
        apply(event, at: time)
        return true
    }

    /// Makes a game from the fields of `game-started`; nil if they do not fit.
    public static func started(
        options: Fields, fields: Fields, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds
    ) -> Self? {
        guard let setup = Setup(options: options, fields: fields), seats.contains(players.count),
            Set(players).count == players.count, players.contains(first),
            players.allSatisfy({ (0..<seats.upperBound).contains($0.rawValue) })
        else { return nil }
        return Self(setup: setup, players: players, first: first, seed: seed, at: time)
    }

    /// `options` and the game's own fields, as far as they are fixed before the game's seed is known.
    public static func setupFields(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection)
        -> (options: Fields, fields: Fields)
    {
        let setup = try setup(options, players: players, draw: &draw)
        return (setup.options, setup.fields)
    }

    /// The `options` and own fields of `game-started`: the result of `setupFields`, completed from the game's seed. Nil
    /// if it does not fit.
    public static func dealtFields(options: Fields, fields: Fields, seed: Digest) -> (options: Fields, fields: Fields)?
    {
        guard let setup = Setup(options: options, fields: fields)?.dealt(from: seed) else { return nil }
        return (setup.options, setup.fields)
    }

    /// As `GameSetup.mode`, from the fields of `game-started`; nil if they do not fit.
    public static func mode(options: Fields, fields: Fields) -> String? {
        Setup(options: options, fields: fields)?.mode
    }

    private func steps(_ events: [Event]) -> [GameStep] {
        events.map { event in
            GameStep(
                type: event.type, fields: fields(of: event),
                sealed: sealedFields(of: event).map { .known($0, salt: []) })
        }
    }
}
