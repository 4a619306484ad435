import EventStore
import Games

/// What one node of a cluster has said of itself last, to whoever runs it.
public struct NodeReport: Equatable, Sendable {
    /// A node that has said nothing for longer does not run.
    static let freshness: Milliseconds = 10_000

    public let name: String
    /// Names this start of its process.
    public let run: String
    /// Whether it serves rooms; else it waits until it may.
    public let isServing: Bool
    /// For how long the database has not heard of it; nil: it has no word of it at all.
    public let silence: Milliseconds?
    /// How many of those that serve it is linked to.
    public let links: Int
    /// How to reach it; nil where it runs on another machine, or no more.
    public let operatorNote: OperatorNote?
    /// Nil where it has told none.
    public let figures: NodeFigures?

    init(_ node: NodeRun, isServing: Bool, _ note: NodeNote?, at time: Milliseconds) {
        (name, run, self.isServing) = (node.node.text, node.run, isServing)
        // Where the database's clock was set back, the node has not noticed yet.
        silence = note.map { max(0, time - $0.wall) }
        let runs = (silence ?? .max) < Self.freshness
        operatorNote = note?.door.flatMap { runs && $0.isHere ? $0.note : nil }
        (links, figures) = (note?.links ?? 0, note?.figures)
    }

    /// Whether it can be taken to be there. One that renews its lease each second is heard of by now.
    public var isHeard: Bool { (silence ?? .max) <= LeaseWatch.gap }

    var runs: Bool { (silence ?? .max) < Self.freshness }

    /// Of all that serve, or wait until they may and are there, by their names.
    static func all(of roll: NodeRoll, _ found: LeaseRenewal) -> [NodeReport] {
        let notes = found.leases.compactMap { lease in NodeNote(lease.note).map { (run: lease.run, note: $0) } }
        let serving = roll.runs.map { run in
            NodeReport(run, isServing: true, notes.first { $0.run == run.run }?.note, at: found.time)
        }
        let waiting = notes.filter { $0.note.isJoining && !roll.has(run: $0.run) }.map { run, note in
            NodeReport(
                NodeRun(node: note.node, run: run, address: note.address), isServing: false, note, at: found.time)
        }
        return (serving + waiting.filter(\.isHeard)).sorted { ($0.name, $0.run) < ($1.name, $1.run) }
    }
}

/// Asks the log that nodes share what they say of themselves, again and again.
public final class NodeReports {
    private let reader: any LogReader
    private let leases: PostgreSQLLeaseStore
    private var history = HubHistory()
    /// Of the stream `hub`, up to which it has been read.
    private var version = 0

    /// Throws `EventLogError` where the database cannot be asked, or holds no log.
    public init(on address: String) throws {
        // Who only reads makes no tables.
        reader = try LogAddress.postgreSQL(address).openReader()
        leases = try PostgreSQLLeaseStore(address: address, run: "operator")
    }

    deinit { leases.close() }

    /// As of now, by their names. Throws `EventLogError`; who wants to go on behind that opens it anew.
    public func read() throws -> [NodeReport] {
        let pieceLimit = 1_000
        while true {
            let piece = try reader.records(of: .hub, after: version, limit: pieceLimit)
            for record in piece { _ = history.apply(record) }
            version = piece.last?.version ?? version
            guard piece.count == pieceLimit else { break }
        }
        return NodeReport.all(of: history.roll, try NodeStart.read(leases))
    }
}
