import EventStore
import Games

/// Which nodes serve rooms, as a fold over the stream `hub`, and when rooms were not served for want of any.
struct NodeRoll: Equatable, Sendable {
    /// In the order in which they joined; no two of one name.
    private(set) var runs: [NodeRun] = []
    /// The version of the stream at which they last changed.
    private(set) var epoch = 0
    /// When the last of them went; nil: somebody is there, or nobody ever was.
    private var deserted: Milliseconds?

    /// Nil while nobody serves.
    var membership: Membership? {
        runs.isEmpty ? nil : Membership(epoch: epoch, nodes: runs.map(\.node))
    }

    /// All that serve rooms beside a run; of one that does not itself none.
    func serving(with run: String) -> [NodeName] { has(run: run) ? membership?.nodes ?? [] : [] }

    func has(run: String) -> Bool { runs.contains { $0.run == run } }
    subscript(node: NodeName) -> NodeRun? { runs.first { $0.node == node } }

    /// Whether others serve rooms than before, and the outage that this was to some. Of two runs of one name the first
    /// serves: that the second has joined changes nothing.
    mutating func apply(_ record: NodeRecord, version: Int) -> (changed: Bool, outage: Outage?) {
        var outage: Outage?
        switch record {
        case .joined(let node, let time):
            guard self[node.node] == nil else { return (false, nil) }
            if let deserted, deserted < time { outage = Outage(from: deserted, until: time) }
            deserted = nil
            runs.append(node)
        case .left(let run, let time):
            guard remove(run) != nil else { return (false, nil) }
            if runs.isEmpty { deserted = time }
        case .lost(let run, let settled, _, let time):
            guard let membership, let node = remove(run) else { return (false, nil) }
            if settled < time {
                let lost = Outage.Node(name: node.node, serving: membership.nodes)
                outage = Outage(from: settled, until: time, node: lost)
            }
            if runs.isEmpty { deserted = time }
        }
        epoch = version
        return (true, outage)
    }

    private mutating func remove(_ run: String) -> NodeRun? {
        runs.firstIndex { $0.run == run }.map { runs.remove(at: $0) }
    }
}
