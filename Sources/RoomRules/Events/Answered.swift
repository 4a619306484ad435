import Games
import JSON

/// A player's answer to a proposal.
struct Answered: OwnEvent {
    static let type = "answered"

    let seat: Seat
    let player: PlayerID
    let agrees: Bool

    var fields: Fields { ["seat": .integer(seat.rawValue), "player": .string(player), "agrees": .bool(agrees)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let seat = Seat(fields), let player = fields["player"]?.string, let agrees = fields["agrees"]?.bool
        else { return nil }
        return Self(seat: seat, player: player, agrees: agrees)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.proposal != nil, room.seats[seat] == player else { return false }
        room.facts.proposal?.recordAnswer(of: seat, agrees: agrees)
        return true
    }
}
