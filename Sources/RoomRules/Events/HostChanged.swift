import Games
import JSON

/// Another player is the host.
public struct HostChanged: OwnEvent {
    public static let type = "host-changed"

    let player: PlayerID

    public var fields: Fields { ["player": .string(player)] }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        fields["player"]?.string.map { Self(player: $0) }
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.host = player
        return true
    }
}
