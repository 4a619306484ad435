import Cryptography
import Games
import JSON

/// The first event of every room.
public struct RoomOpened: OwnEvent {
    public static let type = "room-opened"

    let game: String
    let options: Fields
    /// Whether lists show the room at first.
    public let visibility: Visibility
    /// The player who opened the room.
    public let host: PlayerID
    /// The seed of the first game; nil for games that are not dealt.
    let seed: ServerSeed?

    /// `options` are those that `game` has accepted.
    public init(game: String, options: Fields, visibility: Visibility, host: PlayerID, seed: ServerSeed?) {
        (self.game, self.options, self.visibility, self.host, self.seed) = (game, options, visibility, host, seed)
    }

    public var fields: Fields {
        var fields: Fields = [
            "game": .string(game), "options": .object(options), "visibility": .string(visibility.rawValue),
            "host": .string(host),
        ]
        if let seed { fields["commitment"] = .string(seed.commitment.hex) }
        return fields
    }

    public var sealed: [UInt8]? { seed?.bytes }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let game = fields["game"]?.string, let options = fields["options"]?.object,
            let visibility = fields["visibility"]?.string.flatMap(Visibility.init), let host = fields["host"]?.string,
            let seed = ServerSeed.read(fields, sealed)
        else { return nil }
        return Self(game: game, options: options, visibility: visibility, host: host, seed: seed.seed)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) throws(RoomState.FoldError) -> Bool {
        guard room.phase == .unopened else { return false }
        guard let kind = room.games.game(named: game) else { throw .unknownGame(game) }
        room.facts.kind = kind
        room.facts.options = options
        room.facts.visibility = visibility
        room.facts.host = host
        (room.facts.opener, room.facts.openedAt) = (host, time)
        room.facts.seed = seed
        room.facts.phase = .waiting
        return true
    }
}

/// Whether lists show a room, and who may join it.
public enum Visibility: String, Sendable {
    /// Lists show it. If it was opened as public, its code is short.
    case `public`
    /// Public, and a quick game may take its free seats, since strangers are welcome.
    case seeking
    /// Only for people with the link. If it was opened as unlisted, its code cannot be guessed.
    case unlisted

    /// Also true for `seeking`.
    public var isListed: Bool { self != .unlisted }

    /// Reads what a client asks for.
    public init(_ value: Value?) throws(Rejection) {
        guard let visibility = value?.string.flatMap({ Visibility(rawValue: $0) }) else {
            throw .badField("visibility", "`public`, `seeking` or `unlisted`")
        }
        self = visibility
    }
}
