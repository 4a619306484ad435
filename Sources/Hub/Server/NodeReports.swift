import Cluster
import EventStore
import Games
import RoomRules

/// The last report of a node, for its operator.
public struct NodeReport: Equatable, Sendable {
    /// A node that has not reported for longer does not run.
    static let freshness: Milliseconds = 10_000

    public let name: String
    /// Identifies this start of its process.
    public let run: String
    /// Whether it serves rooms. If not, it waits until it may.
    public let isServing: Bool
    /// How long the database has not heard from it; nil if it has nothing from it.
    public let silence: Milliseconds?
    /// How many serving nodes it is linked to.
    public let links: Int
    /// How to reach it; nil if it runs on another machine or not at all.
    public let operatorNote: OperatorNote?
    /// Nil if it has reported none.
    public let figures: NodeFigures?

    init(_ node: NodeRun, isServing: Bool, _ note: NodeNote?, at time: Milliseconds) {
        (name, run, self.isServing) = (node.node.text, node.run, isServing)
        // If the database's clock was set back, the node has not noticed yet.
        silence = note.map { max(0, time - $0.wall) }
        let runs = (silence ?? .max) < Self.freshness
        operatorNote = note?.door.flatMap { OperatorDoor($0) }.flatMap { runs && $0.isHere ? $0.note : nil }
        (links, figures) = (note?.links ?? 0, note?.figures.flatMap { NodeFigures($0) })
    }

    /// Whether it seems to run. A node that renews its lease every second would have been heard.
    public var isHeard: Bool { (silence ?? .max) <= LeaseWatch.gap }

    var runs: Bool { (silence ?? .max) < Self.freshness }

    /// The reports of all nodes that serve, or are running and wait to serve, by name.
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

/// Reads, again and again, what nodes report in the log that they share.
public final class NodeReports {
    private let reader: any LogReader
    private let leases: PostgreSQLLeaseStore
    private var history = HubHistory()
    /// The version up to which the stream `hub` has been read.
    private var version = 0

    /// Throws `EventLogError` if the database cannot be reached, or holds no log.
    public init(on address: String) throws {
        // A reader makes no tables.
        reader = try LogAddress.postgreSQL(address).openReader()
        leases = try PostgreSQLLeaseStore(address: address, run: "operator")
    }

    deinit { leases.close() }

    /// The current reports, by name. Throws `EventLogError`, after which new ones need a new instance.
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
