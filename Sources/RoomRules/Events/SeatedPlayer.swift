import Cryptography
import Games
import JSON

/// A player with a seat, or a computer with its own seat.
public struct SeatedPlayer: Equatable, Sendable {
    /// Each seat is taken once.
    public let seat: Seat
    /// The id of the player or computer.
    public let player: PlayerID
    /// A computer's level; nil for a player.
    var level: String?
    /// The SHA-256 of the nonce that the player promised to put into the draw.
    var commitment: Digest?
    /// The nonce that the player put in. A promise without it was not kept, and adds nothing to the draw.
    var nonce: Nonce?
}

extension [SeatedPlayer] {
    var nonces: [Seat: [UInt8]] {
        Dictionary(compactMap { player in player.nonce.map { (player.seat, $0.bytes) } }) { first, _ in first }
    }

    /// The opened nonces, as a reveal has them.
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
