import Games
import JSON

/// Another player is the host.
public struct HostChanged: OwnEvent {
    public static let type = "host-changed"

    let player: PlayerID
}

extension HostChanged {
    public var fields: Fields { ["player": .string(player)] }

    public init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let player = fields["player"]?.string else { return nil }
        self.init(player: player)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.host = player
        return true
    }
}
