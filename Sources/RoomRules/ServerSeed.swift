import Cryptography
import Games

// What a deck is dealt from. Each part is committed to before any is opened.

/// The hub's part in a game's draw. Its SHA-256 is shown beforehand, and its bytes are sealed in the log.
public enum ServerSeed: Equatable, Sendable {
    /// In the hub, and everywhere else that has the sealed bytes of the log.
    case known([UInt8])
    /// In a fold of the public log.
    case committed(Digest)

    /// SHA-256 of the 32 bytes.
    public var commitment: Digest {
        switch self {
        case .known(let bytes): SHA256.digest(of: bytes)
        case .committed(let digest): digest
        }
    }

    var bytes: [UInt8]? { if case .known(let bytes) = self { bytes } else { nil } }
}

/// A player's part in the draw: 16 random bytes. Their SHA-256 is committed to before any player's are opened.
struct Nonce: Equatable, Sendable {
    let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes.count == nonceSize else { return nil }
        self.bytes = bytes
    }

    /// From lower-case hexadecimal; nil for anything else.
    init?(hex text: String) {
        guard let bytes = [UInt8](hex: text) else { return nil }
        self.init(bytes)
    }

    var commitment: Digest { SHA256.digest(of: bytes) }
}

/// Opens the commitments of a game, so that anyone can deal the deck again and check what was sealed.
public struct Reveal: Equatable, Sendable {
    /// The 32 bytes of the server seed; nil if the game is not dealt.
    public let seed: [UInt8]?
    /// The opened nonces, in ascending order of seats.
    public let nonces: [SeatNonce]
    /// What the game's events had sealed, in order.
    public let seals: [Seal]
}

/// What a game's event has sealed.
public struct Seal: Equatable, Sendable {
    /// Of the event.
    public let version: Int
    public let sealed: SealedFields

    /// As a fold of the public log has it.
    public var committed: Seal { Seal(version: version, sealed: .committed(sealed.digest)) }
}

/// A nonce that a seat has opened.
public struct SeatNonce: Equatable, Sendable {
    let seat: Seat
    let nonce: Nonce
}
