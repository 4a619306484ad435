import Rooms

/// Proves that a request is the operator's. The hub keeps only the hash of the token.
struct OperatorKey: Sendable {
    private let hash: [UInt8]

    init(_ token: PlayerToken) { hash = Array(token.hash.utf8) }

    /// Compares all bytes, so that the time it takes reveals nothing.
    func opens(for token: PlayerToken) -> Bool {
        zip(hash, token.hash.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
