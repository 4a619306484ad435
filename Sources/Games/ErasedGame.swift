import Cryptography

/// A game as its room holds it: commands and events by type name and fields, whatever game it is.
public struct Happening: Sendable, Equatable {
    public let type: String
    public let fields: Fields

    public init(type: String, fields: Fields) {
        self.type = type
        self.fields = fields
    }

    init(_ event: some GameEvent) { self.init(type: event.type, fields: event.fields) }
}

extension Game {
    /// Whether this game has a command of this type.
    public static func hasCommand(_ type: String) -> Bool {
        // A command that exists but lacks its fields throws, and is this game's all the same.
        do { return try Command(type: type, fields: [:]) != nil } catch { return true }
    }

    /// As `decide`, for a command by name; nil if this game has none of that name.
    public func decide(_ type: String, _ fields: Fields, by seat: Seat, at now: Milliseconds) throws(Rejection)
        -> [Happening]?
    {
        guard let command = try Command(type: type, fields: fields) else { return nil }
        return try decide(command, by: seat, at: now).map { Happening($0) }
    }

    public func openingHappenings(at time: Milliseconds) -> [Happening] { opening(at: time).map { Happening($0) } }
    public func wakeHappenings(at now: Milliseconds) -> [Happening] { wake(at: now).map { Happening($0) } }
    public func leaveHappenings(_ seat: Seat, at now: Milliseconds) -> [Happening] {
        leave(seat, at: now).map { Happening($0) }
    }
    public func actHappenings(_ seat: Seat, at now: Milliseconds) -> [Happening] {
        act(seat, at: now).map { Happening($0) }
    }

    /// Records an event read back from a log; false if it is none of this game's.
    public mutating func apply(_ happening: Happening, at time: Milliseconds) -> Bool {
        guard let event = Event(type: happening.type, fields: happening.fields) else { return false }
        apply(event, at: time)
        return true
    }

    /// A game from what `game-started` shows; nil if it does not fit.
    public static func started(
        options: Fields, fields: Fields, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds
    ) -> Self? {
        guard let setup = Setup(options: options, fields: fields) else { return nil }
        return Self(setup: setup, players: players, first: first, seed: seed, at: time)
    }

    /// `options` and the game's own fields of a `game-started` to come.
    public static func setupFields(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection)
        -> (options: Fields, fields: Fields)
    {
        let setup = try setup(options, players: players, draw: &draw)
        return (setup.options, setup.fields)
    }
}
