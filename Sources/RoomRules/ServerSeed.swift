import Cryptography
import Games

// What a deck is dealt from, each part committed to before any is opened.

/// The seed of a game's draw. What is shown of it beforehand is its SHA-256; the bytes are sealed in the log.
public enum ServerSeed: Equatable, Sendable {
    /// In the hub, and wherever the sealed bytes of the log can be read.
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

    public var bytes: [UInt8]? { if case .known(let bytes) = self { bytes } else { nil } }
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
public struct Reveal: Equatable, Sendable {
    public let seed: [UInt8]
    /// Of the seats that opened theirs, in ascending order.
    public let nonces: [SeatNonce]
}

public struct SeatNonce: Equatable, Sendable {
    let seat: Seat
    let nonce: Nonce
}
