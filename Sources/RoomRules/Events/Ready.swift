import Cryptography
import Games
import JSON

/// A player opens the nonce of a seat, and may commit to one for the game after.
struct Ready: OwnEvent {
    static let type = "ready"

    let seat: Seat
    let nonce: Nonce
    let next: Digest?

    var fields: Fields {
        var fields: Fields = ["seat": .integer(seat.rawValue), "nonce": .string(nonce.bytes.hex)]
        if let next { fields["commitment"] = .string(next.hex) }
        return fields
    }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let seat = Seat(fields), let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) }),
            let next = Digest.commitment(fields)
        else { return nil }
        return Self(seat: seat, nonce: nonce, next: next.digest)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard let dealing = room.dealing, dealing.awaited.contains(seat),
            dealing.start.players.contains(where: { $0.seat == seat && $0.commitment == nonce.commitment })
        else { return false }
        room.facts.dealing?.open(nonce, of: seat)
        room.facts.seating.commitments[seat] = next
        return true
    }
}
