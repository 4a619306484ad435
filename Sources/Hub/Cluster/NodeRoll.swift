import EventStore
import Games

/// Which nodes serve rooms, as a fold over the stream `hub`.
struct NodeRoll: Equatable, Sendable {
    /// In the order in which they joined; no two of one name.
    private(set) var runs: [NodeRun] = []
    /// Whether any node has ever served.
    private(set) var hasServed = false

    /// In order.
    var nodes: [NodeName] { runs.map(\.node).sorted() }

    func has(run: String) -> Bool { self[run: run] != nil }
    subscript(run run: String) -> NodeRun? { runs.first { $0.run == run } }
    subscript(node: NodeName) -> NodeRun? { runs.first { $0.node == node } }

    /// Whether others serve rooms than before. Of two runs of one name the first serves: that the second has joined
    /// changes nothing.
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
