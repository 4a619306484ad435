import Games

/// Also of somebody who sits there already, with another commitment. Without a nonce.
struct SeatTaken: OwnEvent {
    static let type = "seat-taken"

    let seated: SeatedPlayer
}

extension SeatTaken {
    var fields: Fields { seated.fields }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let seated = SeatedPlayer(fields) else { return nil }
        self.init(seated: seated)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool { room.seating.take(seated) }
}
