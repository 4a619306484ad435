import Cryptography
import Games

/// A game that is about to be dealt: everything is fixed, and the nonces of those who promised one are awaited.
struct Dealing: Equatable, Sendable {
    /// Longest time that the nonces are waited for.
    static let patience: Milliseconds = 10_000

    /// With the nonces opened so far; the game's own fields as far as they do not follow from its seed.
    var start: RoomEvent.GameStart
    /// The seats whose nonces are still to come.
    var awaited: [Seat]
    var deadline: Milliseconds

    /// Takes what `seat` opens.
    mutating func open(_ nonce: Nonce, of seat: Seat) {
        awaited.removeAll { $0 == seat }
        for index in start.players.indices where start.players[index].seat == seat {
            start.players[index].nonce = nonce
        }
    }
}

/// Somebody at the table of a game: a player, or a computer that has the seat for itself.
struct SeatedPlayer: Equatable, Sendable {
    let seat: Seat
    let player: PlayerID
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
