import Cryptography
import Games
import JSON

/// Somebody at the table of a game: a player, or a computer that has the seat for itself.
public struct SeatedPlayer: Equatable, Sendable {
    public let seat: Seat
    public let player: PlayerID
    /// Of a computer.
    var level: String?
    /// What the player promised to put into the draw.
    var commitment: Digest?
    /// What the player put in: a promise without it was not kept, and contributes nothing.
    var nonce: Nonce?
}

extension [SeatedPlayer] {
    var nonces: [Seat: [UInt8]] {
        Dictionary(compactMap { player in player.nonce.map { (player.seat, $0.bytes) } }) { first, _ in first }
    }

    /// As a reveal shows them.
    var opened: [SeatNonce] {
        compactMap { player in player.nonce.map { SeatNonce(seat: player.seat, nonce: $0) } }
            .sorted { $0.seat < $1.seat }
    }
}

extension SeatedPlayer {
    var fields: Fields {
        var fields: Fields = ["seat": .integer(seat.rawValue), "player": .string(player)]
        if let level { fields["bot"] = .string(level) }
        if let commitment { fields["commitment"] = .string(commitment.hex) }
        if let nonce { fields["nonce"] = .string(nonce.bytes.hex) }
        return fields
    }

    init?(_ fields: Fields) {
        guard let seat = Seat(fields), let player = fields["player"]?.string,
            let commitment = Digest.commitment(fields)
        else { return nil }
        self.init(
            seat: seat, player: player, level: fields["bot"]?.string, commitment: commitment.digest,
            nonce: fields["nonce"]?.string.flatMap { Nonce(hex: $0) })
    }
}
