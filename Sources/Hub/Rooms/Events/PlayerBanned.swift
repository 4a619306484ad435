import Games
import JSON

/// A player is to watch only, or may play again.
struct PlayerBanned: OwnEvent {
    static let type = "player-banned"

    let player: PlayerID
    let isBanned: Bool
}

extension PlayerBanned {
    var fields: Fields { ["player": .string(player), "on": .bool(isBanned)] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let player = fields["player"]?.string, let isBanned = fields["on"]?.bool else { return nil }
        self.init(player: player, isBanned: isBanned)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        if isBanned { room.facts.banned.insert(player) } else { room.facts.banned.remove(player) }
        return true
    }
}
