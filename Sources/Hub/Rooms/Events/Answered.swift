import Games

/// What a seat says to a proposal.
struct Answered: OwnEvent {
    static let type = "answered"

    let seat: Seat
    let agrees: Bool
}

extension Answered {
    var fields: Fields { ["seat": .integer(seat.rawValue), "agrees": .bool(agrees)] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let seat = Seat(fields), let agrees = fields["agrees"]?.bool else { return nil }
        self.init(seat: seat, agrees: agrees)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.proposal != nil, room.seats[seat] != nil else { return false }
        room.proposal?.note(seat, agrees: agrees)
        return true
    }
}
