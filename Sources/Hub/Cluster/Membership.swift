/// What a node of a cluster is called, by whoever runs it.
struct NodeName: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func < (one: NodeName, other: NodeName) -> Bool { one.text < other.text }
}

/// Which nodes serve rooms. All that know the same epoch say the same of it.
struct Membership: Equatable, Sendable {
    /// The version of the stream `hub` that it follows from.
    let epoch: Int
    /// In order, each once; there is one at least.
    let nodes: [NodeName]

    init(epoch: Int, nodes: some Sequence<NodeName>) {
        (self.epoch, self.nodes) = (epoch, Set(nodes).sorted())
        precondition(!self.nodes.isEmpty, "someone serves the rooms")
    }

    /// Where a room is judged.
    func home(ofRoom code: String) -> NodeName { Self.home(ofRoom: code, among: nodes) ?? nodes[0] }

    /// The node whose hash with the room is highest (rendezvous hashing, Thaler and Ravishankar 1998): who comes
    /// takes rooms from all, who goes leaves rooms to all, and no other moves. `nodes`: in order; nil: of none.
    static func home(ofRoom code: String, among nodes: [NodeName]) -> NodeName? {
        guard var home = nodes.first else { return nil }
        var highest = UInt64.min
        for node in nodes {
            let weight = weight(of: node, code)
            // Of equal ones the first.
            if weight > highest { (home, highest) = (node, weight) }
        }
        return home
    }

    /// Of the two as one text, so that it is the same on every machine: FNV-1a, whose bits SplitMix64's finalizer
    /// spreads, since that of the last letters does not reach the highest ones.
    private static func weight(of node: NodeName, _ code: String) -> UInt64 {
        var hash = UInt64(0xcbf2_9ce4_8422_2325)
        func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in node.text.utf8 { take(byte) }
        take(0)
        for byte in code.utf8 { take(byte) }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}

/// What follows from the names of a cluster's nodes, for who looks at it from outside.
public enum ClusterMap {
    /// The one of these nodes that judges a room while all of them serve; there is one at least.
    public static func home(ofRoom code: String, among nodes: [String]) -> String {
        Membership(epoch: 0, nodes: nodes.map { NodeName($0) }).home(ofRoom: code).text
    }
}
