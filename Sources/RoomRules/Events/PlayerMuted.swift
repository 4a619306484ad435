import Games
import JSON

/// A player may not chat from now on, or may again.
public struct PlayerMuted: OwnEvent {
    public static let type = "player-muted"

    let player: PlayerID
    let isMuted: Bool

    public var fields: Fields { ["player": .string(player), "on": .bool(isMuted)] }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let player = fields["player"]?.string, let isMuted = fields["on"]?.bool else { return nil }
        return Self(player: player, isMuted: isMuted)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        if isMuted { room.facts.muted.insert(player) } else { room.facts.muted.remove(player) }
        return true
    }
}
