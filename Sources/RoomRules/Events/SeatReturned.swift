import Games
import JSON

/// The player for whom a computer has played is back.
struct SeatReturned: OwnEvent {
    static let type = "seat-returned"

    let seat: Seat
}

extension SeatReturned {
    var fields: Fields { ["seat": .integer(seat.rawValue)] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let seat = Seat(fields) else { return nil }
        self.init(seat: seat)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.playing[seat] != nil, room.isHelped(seat) else { return false }
        room.facts.seating.computers[seat] = nil
        return true
    }
}
