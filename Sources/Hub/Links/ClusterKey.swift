import Cryptography

/// What all nodes of a cluster know and nobody else does: whoever has it is believed to be a node.
public struct ClusterKey: Sendable, Equatable {
    /// Shorter ones could be found by trying.
    public static let leastBytes = 16

    private let bytes: [UInt8]

    /// Nil where there are fewer than `leastBytes`.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.leastBytes else { return nil }
        self.bytes = bytes
    }

    /// What shows that one of two ends has the key, without the key: of what both have said, in which each has drawn a
    /// nonce, so that it holds for this link alone.
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

/// The two ends of a link, told apart so that neither's proof is good for the other.
enum LinkEnd: String {
    /// Who connects.
    case asker
    case answerer
}
