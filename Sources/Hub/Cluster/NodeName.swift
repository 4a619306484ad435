/// What the operator calls a node of a cluster.
struct NodeName: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func < (one: NodeName, other: NodeName) -> Bool { one.text < other.text }
}

/// Which of several nodes goes first where any of them may do something that one has to do: all that know the same
/// nodes say the same of it.
enum Rendezvous {
    /// The node whose hash with the text is highest (rendezvous hashing, Thaler and Ravishankar 1998). `nodes`: in
    /// order; nil: there is none.
    static func first(of nodes: [NodeName], for text: String) -> NodeName? {
        guard var first = nodes.first else { return nil }
        var highest = UInt64.min
        for node in nodes {
            let weight = weight(of: node, text)
            // Of equal ones the first.
            if weight > highest { (first, highest) = (node, weight) }
        }
        return first
    }

    /// Of the two as one text, so that it is the same on every machine: FNV-1a, whose bits SplitMix64's finalizer
    /// spreads, since that of the last letters does not reach the highest ones.
    private static func weight(of node: NodeName, _ text: String) -> UInt64 {
        var hash = UInt64(0xcbf2_9ce4_8422_2325)
        func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in node.text.utf8 { take(byte) }
        take(0)
        for byte in text.utf8 { take(byte) }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
