import Games

/// The games of a hub, by name. It is a value, so that a hub may have other games than those of `GameList`.
public struct GameCatalog: Sendable {
    /// In the order of the list.
    public let games: [any Game.Type]
    /// Types of rooms' own events that the hub cannot read, as in `HubOptions`.
    public let eventsLeftOut: Set<String>

    /// Throws if a game uses one of the room's own names, or has more seats than a room. Two games may share names of
    /// events and commands, since a room has one game.
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

    /// The games' names, in the same order.
    public var names: [String] { games.map { $0.name } }

    /// The types of all events that rooms of any game may record.
    public var eventTypes: [String] {
        RoomEvent.ownKinds.map { $0.type }.filter { !eventsLeftOut.contains($0) }
            + Set(games.flatMap { $0.eventTypes }).sorted()
    }

    /// False for a type that was left out.
    func reads(_ type: String) -> Bool { eventsLeftOut.isEmpty || !eventsLeftOut.contains(type) }

    /// Nil if no game has this name.
    public func game(named name: String) -> (any Game.Type)? { games.first { $0.name == name } }

    /// Types of everything that the hub sends to a room. Clients tell events from other messages by these names.
    private static let ownEvents = Set(RoomEvent.ownKinds.map { $0.type } + HubMessageKind.allCases.map(\.rawValue))
    /// Types of everything that a client can send to any room.
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

/// Why a hub cannot have these games.
public enum GameCatalogError: Error, Equatable, Sendable {
    /// What has the name.
    public enum What: String, Sendable {
        case event, command
    }

    /// Two games have this name.
    case twoGames(String)
    /// The name of a game's event or command is one of the room's own.
    case reserved(What, String, game: String)
    /// A game has two events, or two commands, of this name.
    case twice(What, String, game: String)
    /// More seats than a room has, or none.
    case seats(ClosedRange<Int>, game: String)

    /// For the operator, with the remedy.
    public var sentence: String {
        switch self {
        case .twoGames(let name): "Two games are called `\(name)`. Rename one of them."
        case .reserved(let what, let type, let game):
            "The game `\(game)` has \(what.article) \(what.rawValue) `\(type)`, but rooms use this name themselves. "
                + "Rename it."
        case .twice(let what, let type, let game):
            "The game `\(game)` has two \(what.rawValue)s called `\(type)`. Rename one of them."
        case .seats(let seats, let game):
            "The game `\(game)` has \(seats.lowerBound) to \(seats.upperBound) seats. A room has 1 to "
                + "\(RoomState.seatLimit)."
        }
    }
}

extension GameCatalogError.What {
    fileprivate var article: String { self == .event ? "an" : "a" }
}
