import JSON
import Threads

/// A node's figures, which it publishes with its lease, for anyone who looks at all nodes.
public struct NodeFigures: Equatable, Sendable {
    /// Awake rooms.
    public var rooms = 0
    /// All connections, and those to rooms of other nodes.
    public var connections = 0, relayed = 0
    /// Writes since the node's start that were refused because another came first.
    public var conflicts = 0
    /// Writes since the node's start, by duration.
    var appends = Histogram()

    /// The same in Prometheus' form: how many took at most this many seconds, the last without a limit.
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

    /// Nil if this release cannot read them.
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
