/// The nodes that serve rooms, folded from the stream `hub`.
public struct NodeRoll: Equatable, Sendable {
    /// In the order in which they joined, with different names.
    public private(set) var runs: [NodeRun] = []
    /// Whether any node has ever served.
    public private(set) var hasServed = false

    public var nodes: [NodeName] { runs.map(\.node).sorted() }

    public func has(run: String) -> Bool { self[run: run] != nil }
    public subscript(run run: String) -> NodeRun? { runs.first { $0.run == run } }
    public subscript(node: NodeName) -> NodeRun? { runs.first { $0.node == node } }

    /// Returns whether the serving nodes have changed. If two runs of one name join, the first one serves, and the
    /// second changes nothing.
    mutating func apply(_ record: NodeRecord) -> Bool {
        switch record {
        case .joined(let node, _):
            guard self[node.node] == nil else { return false }
            runs.append(node)
            hasServed = true
            return true
        case .left(let run, _, _), .lost(let run, _, _, _):
            guard has(run: run) else { return false }
            runs.removeAll { $0.run == run }
            return true
        }
    }
}
