/// A node's name, which its operator chooses.
public struct NodeName: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func < (one: NodeName, other: NodeName) -> Bool { one.text < other.text }
}

/// Chooses one of several nodes for work that only one must do. All that know the same nodes choose the same one.
public enum Rendezvous: Sendable {
    /// The node whose hash with the text is highest (rendezvous hashing, Thaler and Ravishankar 1998); nil without
    /// nodes. `nodes` must be in order.
    public static func first(of nodes: [NodeName], for text: String) -> NodeName? {
        guard var first = nodes.first else { return nil }
        var highest = UInt64.min
        for node in nodes {
            let weight = weight(of: node, text)
            // The first of equal ones wins.
            if weight > highest { (first, highest) = (node, weight) }
        }
        return first
    }

    /// Hashes both as one text, the same on every machine: FNV-1a, finished by SplitMix64's finalizer, since FNV-1a
    /// does not spread the last letters to the highest bits.
    private static func weight(of node: NodeName, _ text: String) -> UInt64 {
        var hash = UInt64(0xcbf2_9ce4_8422_2325)
        func hashByte(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in node.text.utf8 { hashByte(byte) }
        hashByte(0)
        for byte in text.utf8 { hashByte(byte) }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
