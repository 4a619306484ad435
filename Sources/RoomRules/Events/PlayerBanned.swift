import Games
import JSON

/// A player may only watch from now on, or may play again.
public struct PlayerBanned: OwnEvent {
    public static let type = "player-banned"

    let player: PlayerID
    let isBanned: Bool

    public var fields: Fields { ["player": .string(player), "on": .bool(isBanned)] }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let player = fields["player"]?.string, let isBanned = fields["on"]?.bool else { return nil }
        return Self(player: player, isBanned: isBanned)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        if isBanned { room.facts.banned.insert(player) } else { room.facts.banned.remove(player) }
        return true
    }
}
