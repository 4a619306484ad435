import Games
import JSON

/// Somebody else is the host from now on.
struct HostChanged: OwnEvent {
    static let type = "host-changed"

    let player: PlayerID
}

extension HostChanged {
    var fields: Fields { ["player": .string(player)] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let player = fields["player"]?.string else { return nil }
        self.init(player: player)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.host = player
        return true
    }
}
