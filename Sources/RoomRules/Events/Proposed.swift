import Games
import JSON

/// A player proposes something to the others.
struct Proposed: OwnEvent {
    static let type = "proposed"

    let subject: Proposal.Subject
    let seat: Seat
    let player: PlayerID
    /// The seats that should answer, in order.
    let asked: [Seat]
    let deadline: Milliseconds

    var fields: Fields {
        [
            "what": .string(subject.rawValue), "seat": .integer(seat.rawValue), "player": .string(player),
            "asked": .integers(asked.map(\.rawValue)), "deadline": .integer(deadline),
        ]
    }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let subject = fields["what"]?.string.flatMap({ Proposal.Subject(rawValue: $0) }),
            let seat = Seat(fields), let player = fields["player"]?.string,
            let asked = fields["asked"]?.integers, let deadline = fields["deadline"]?.integer
        else { return nil }
        return Self(subject: subject, seat: seat, player: player, asked: asked.map { Seat($0) }, deadline: deadline)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.proposal == nil, room.phase == (subject == .restart ? .running : .ended),
            room.seats[seat] == player, asked.allSatisfy({ room.seats[$0] != nil && $0 != seat })
        else { return false }
        room.facts.proposal = Proposal(self, version: room.version + 1)
        return true
    }
}
