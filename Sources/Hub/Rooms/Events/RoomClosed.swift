import Games
import JSON

/// Nothing comes after this.
struct RoomClosed: OwnEvent {
    static let type = "room-closed"

    /// Of a game that was never played.
    let reveal: Reveal?
}

extension RoomClosed {
    var fields: Fields { reveal.map { ["reveal": .object($0.fields)] } ?? [:] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        self.init(reveal: fields["reveal"]?.object.flatMap { Reveal($0) })
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.phase = .closed
        room.facts.proposal = nil
        return true
    }
}
