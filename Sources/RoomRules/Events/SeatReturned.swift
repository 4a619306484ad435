import Games
import JSON

/// The player for whom a computer has played is back.
struct SeatReturned: OwnEvent {
    static let type = "seat-returned"

    let seat: Seat

    var fields: Fields { ["seat": .integer(seat.rawValue)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        Seat(fields).map { Self(seat: $0) }
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.playing[seat] != nil, room.isHelped(seat) else { return false }
        room.facts.seating.computers[seat] = nil
        return true
    }
}
