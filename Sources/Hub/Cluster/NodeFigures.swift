import Games
import JSON
import Threads

/// What a node does, as it says with its lease: whoever looks at all nodes sees it, wherever they run.
public struct NodeFigures: Equatable, Sendable {
    /// That are awake there.
    public var rooms = 0
    /// All, and those to rooms of other nodes.
    public var connections = 0, relayed = 0
    /// Writes that were refused since another had come first, from the node's start on.
    public var conflicts = 0
    /// Writes by how long each took, from the node's start on.
    var appends = Histogram()

    /// The same as Prometheus has them: how many took so many seconds at most, the last without an end.
    public var appendBuckets: [(bound: Double, count: Double)] {
        var count = 0
        return appends.counts.enumerated().map { index, inBucket in
            count += inBucket
            let isLast = index == Histogram.bounds.count
            return (isLast ? .infinity : Double(Histogram.bounds[index]) / 1e9, Double(count))
        }
    }

    init() {}

    var fields: Fields {
        [
            "rooms": .integer(rooms), "connections": .integer(connections), "relayed": .integer(relayed),
            "conflicts": .integer(conflicts), "appends": .integers(appends.counts),
            "appendTime": .integer(appends.sum),
        ]
    }

    /// Nil where they are none that this release knows.
    init?(_ fields: Fields) {
        guard let rooms = fields["rooms"]?.integer, let relayed = fields["relayed"]?.integer,
            let connections = fields["connections"]?.integer, let conflicts = fields["conflicts"]?.integer,
            let counts = fields["appends"]?.integers, let time = fields["appendTime"]?.integer,
            let appends = Histogram(counts: counts, sum: time)
        else { return nil }
        (self.rooms, self.connections, self.relayed) = (rooms, connections, relayed)
        (self.conflicts, self.appends) = (conflicts, appends)
    }
}

extension Metrics {
    /// What a node says of itself.
    var nodeFigures: NodeFigures {
        var figures = NodeFigures()
        for counters in counters {
            figures.rooms += counters.rooms.value
            figures.relayed += counters.relayedConnections.value
        }
        figures.connections = loops.reduce(0) { $0 + $1.counters.connections.value }
        let log = log()
        (figures.conflicts, figures.appends) = (log.conflicts, log.appends)
        return figures
    }
}
