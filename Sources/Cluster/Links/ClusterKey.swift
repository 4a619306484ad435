import Cryptography

/// A secret that all nodes of a cluster share. Anyone who has it is believed to be a node.
public struct ClusterKey: Sendable, Equatable {
    /// Shorter keys could be found by trying.
    public static let leastBytes = 16

    private let bytes: [UInt8]

    /// Nil if there are fewer than `leastBytes`.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.leastBytes else { return nil }
        self.bytes = bytes
    }

    /// Proves that one end has the key without showing it. The proof covers both hellos with their random nonces, so it
    /// is valid only for this link.
    func proof(by end: LinkEnd, asker: NodeHello, answerer: NodeHello) -> Digest {
        var writer = BinaryWriter()
        writer.put("\(NodeHello.subprotocol) \(end.rawValue)")
        for hello in [asker, answerer] {
            writer.put(hello.name.text)
            writer.put(hello.run)
            writer.put(hello.eventTypes) { $0.put($1) }
            writer.put(hello.nonce)
        }
        return hmacSHA256(key: bytes, writer.bytes)
    }
}

/// The two ends of a link. Their proofs differ, so neither can reuse the other's.
enum LinkEnd: String {
    /// The end that connects.
    case asker
    case answerer
}
