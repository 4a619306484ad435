import Cryptography

/// Bytes of a nonce that a player may add to the draw.
public let nonceSize = 16

/// The seed of a game: SHA-256("flipside/deck/1" || `serverSeed` || for each seat that opened its nonce, in ascending
/// order: the seat as one byte || the nonce). No one can choose it as long as one contributor is honest.
public func gameSeed(serverSeed: Digest, nonces: [Seat: [UInt8]]) -> Digest {
    let hasher = SHA256()
    hasher.update("flipside/deck/1")
    hasher.update(serverSeed)
    for (seat, nonce) in nonces.sorted(by: { $0.key < $1.key }) {
        hasher.update([UInt8(truncatingIfNeeded: seat.rawValue)] + nonce)
    }
    return hasher.finish()
}
