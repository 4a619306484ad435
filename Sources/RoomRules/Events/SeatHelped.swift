import Games
import JSON

/// A computer plays for a player who is away or absent.
struct SeatHelped: OwnEvent {
    static let type = "seat-helped"

    let seat: Seat
    let level: String

    var fields: Fields { ["seat": .integer(seat.rawValue), "level": .string(level)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let seat = Seat(fields), let level = fields["level"]?.string else { return nil }
        return Self(seat: seat, level: level)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.playing[seat] != nil else { return false }
        room.facts.seating.computers[seat] = level
        room.facts.helped.insert(seat)
        room.facts.proposal?.stopAsking { $0 == seat }
        return true
    }
}
