import Games

/// The games of a hub, by name: a value that it is given, so that a hub may have others than `GameList` names.
public struct GameCatalog: Sendable {
    /// In the order of the list.
    public let games: [any Game.Type]
    /// Of rooms' own events, as in `HubOptions`.
    public let eventsLeftOut: Set<String>

    /// Throws where a game's names do not go together with the room's own, or its seats with a room's. Two games may
    /// share names of events and commands: a room has one game.
    public init(_ games: [any Game.Type], leavingOut events: Set<String> = []) throws(GameCatalogError) {
        for (index, game) in games.enumerated() {
            let name = game.name
            guard !games[..<index].contains(where: { $0.name == name }) else { throw .twoGames(name) }
            guard game.seats.lowerBound > 0, game.seats.upperBound <= RoomState.seatLimit else {
                throw .seats(game.seats, game: name)
            }
            try Self.check(game.eventTypes, .event, of: name, reserved: Self.ownEvents)
            try Self.check(game.commandTypes, .command, of: name, reserved: Self.ownCommands)
        }
        (self.games, eventsLeftOut) = (games, events)
    }

    public var names: [String] { games.map { $0.name } }

    /// The types of all events that a room may record, whatever it plays.
    public var eventTypes: [String] {
        RoomEvent.ownKinds.map { $0.type }.filter { !eventsLeftOut.contains($0) }
            + Set(games.flatMap { $0.eventTypes }).sorted()
    }

    /// Whether an event of this type is none that was left out.
    func reads(_ type: String) -> Bool { eventsLeftOut.isEmpty || !eventsLeftOut.contains(type) }

    /// The game that bears `name`; nil if there is none.
    public func game(named name: String) -> (any Game.Type)? { games.first { $0.name == name } }

    /// What the hub says in a room: a client tells events and other messages apart by these names.
    private static let ownEvents = Set(
        RoomEvent.ownKinds.map { $0.type } + HubMessageKind.allCases.map(\.rawValue))
    /// What can be said to any room.
    private static let ownCommands = Set(
        RoomCommand.ownKinds.map { $0.type } + ChatMessageKind.allCases.map(\.rawValue)
            + ClientMessageKind.allCases.map(\.rawValue))

    private static func check(
        _ types: [String], _ what: GameCatalogError.What, of game: String, reserved: Set<String>
    ) throws(GameCatalogError) {
        var known: Set<String> = []
        for type in types {
            guard !reserved.contains(type) else { throw .reserved(what, type, game: game) }
            guard known.insert(type).inserted else { throw .twice(what, type, game: game) }
        }
    }
}

/// Why games cannot be played on a hub.
public enum GameCatalogError: Error, Equatable, Sendable {
    public enum What: String, Sendable {
        case event, command
    }

    case twoGames(String)
    /// The name of a game's event or command is one of the room's own.
    case reserved(What, String, game: String)
    case twice(What, String, game: String)
    /// More seats than a room has, or none.
    case seats(ClosedRange<Int>, game: String)

    public var sentence: String {
        switch self {
        case .twoGames(let name): "Two games are called `\(name)`: name one of them otherwise."
        case .reserved(let what, let type, let game):
            "The game `\(game)` has \(what.article) \(what.rawValue) `\(type)`, which is a name of the room's own: "
                + "name it otherwise."
        case .twice(let what, let type, let game):
            "The game `\(game)` has two \(what.rawValue)s called `\(type)`: name one of them otherwise."
        case .seats(let seats, let game):
            "The game `\(game)` has \(seats.lowerBound) to \(seats.upperBound) seats: a room has 1 to "
                + "\(RoomState.seatLimit)."
        }
    }
}

extension GameCatalogError.What {
    fileprivate var article: String { self == .event ? "an" : "a" }
}
