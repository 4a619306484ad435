import Cryptography
import Games

/// The seed of a game's draw. What is shown of it beforehand is its SHA-256; the bytes are sealed in the log.
enum ServerSeed: Equatable, Sendable {
    /// In the hub, and wherever the sealed bytes of the log can be read.
    case known([UInt8])
    /// In a fold of the public log.
    case committed(Digest)

    /// SHA-256 of the 32 bytes.
    var commitment: Digest {
        switch self {
        case .known(let bytes): SHA256.digest(of: bytes)
        case .committed(let digest): digest
        }
    }

    var bytes: [UInt8]? { if case .known(let bytes) = self { bytes } else { nil } }
}

/// A player's part in the draw: 16 random bytes, committed to by their SHA-256 before anybody's are opened.
struct Nonce: Equatable, Sendable {
    let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes.count == nonceSize else { return nil }
        self.bytes = bytes
    }

    /// From lower-case hexadecimal; nil of anything else.
    init?(hex text: String) {
        guard let bytes = [UInt8](hex: text) else { return nil }
        self.init(bytes)
    }

    var commitment: Digest { SHA256.digest(of: bytes) }
}

/// What opens the commitments of a game: with it anyone can deal the deck again.
struct Reveal: Equatable, Sendable {
    let seed: [UInt8]
    /// Of the seats that opened theirs, in ascending order.
    let nonces: [SeatNonce]
}

struct SeatNonce: Equatable, Sendable {
    let seat: Seat
    let nonce: Nonce
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
