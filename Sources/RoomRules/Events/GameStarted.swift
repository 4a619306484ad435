import Games
import JSON

/// A game begins. This holds everything that is fixed then.
public struct GameStarted: OwnEvent {
    public static let type = "game-started"

    /// 1 for the room's first game.
    let number: Int
    /// All of the game's options, including defaults.
    public let options: Fields
    /// The game's own fields (Memory: `theme`, `board`).
    public let gameFields: Fields
    /// In the order of turns.
    public internal(set) var players: [SeatedPlayer]
    /// The seat whose turn is first.
    public let first: Seat

    private static let ownNames = ["number", "options", "seats", "first"]

    /// The game's own fields are between the options and the seats.
    public var fields: Fields {
        var fields: Fields = ["number": .integer(number), "options": .object(options)]
        fields = fields.merging(gameFields)
        fields["seats"] = .list(players.map { .object($0.fields) })
        fields["first"] = .integer(first.rawValue)
        return fields
    }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let number = fields["number"]?.integer, let options = fields["options"]?.object,
            let seats = fields["seats"]?.list, let first = fields["first"]?.integer
        else { return nil }
        let players = seats.compactMap { $0.object.flatMap { SeatedPlayer($0) } }
        guard players.count == seats.count else { return nil }
        var gameFields = fields
        for name in Self.ownNames { gameFields[name] = nil }
        return Self(number: number, options: options, gameFields: gameFields, players: players, first: Seat(first))
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard let kind = room.kind, room.phase == .waiting || room.phase == .ended || room.phase == .dealing else {
            return false
        }
        // A nonce that was not promised is no part of the draw.
        guard players.allSatisfy({ $0.nonce == nil || $0.nonce?.commitment == $0.commitment }),
            room.dealing.map({ $0.start.players == players }) ?? players.nonces.isEmpty
        else { return false }
        guard
            let game = kind.started(
                options: options, fields: gameFields, players: players.map(\.seat), first: first,
                seed: room.gameSeed(players.nonces), at: time)
        else { return false }
        (room.game, room.seals) = (game, [])
        var facts = room.facts
        facts.gameNumber = number
        facts.first = first
        facts.lastStart = self
        (facts.startVersion, facts.startedAt) = (room.version + 1, time)
        facts.lastEnd = nil
        facts.dealing = nil
        facts.proposal = nil
        facts.helped = []
        facts.playing = Dictionary(players.map { ($0.seat, $0.player) }) { first, _ in first }
        facts.phase = .running
        room.facts = facts
        return true
    }
}
