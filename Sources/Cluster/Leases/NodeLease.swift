import EventStore
import Games
import JSON
import RoomRules

/// What a node publishes with its lease.
public struct NodeNote: Equatable {
    /// The node's name, and where others reach it.
    public let node: NodeName
    public let address: String
    /// By the clock of the node's hub.
    let now: Milliseconds
    /// By the database's clock, as the node knows it.
    public let wall: Milliseconds
    /// Until this time of its hub, its rooms are owed nothing, since all lost time is in the log.
    var settled: Milliseconds
    /// Whether it is about to serve rooms. Others link to it before it does.
    public var isJoining = false
    /// How many serving nodes it is linked to.
    public var links = 0
    /// The types of all events of rooms that it reads.
    var reads: [String] = []
    /// How operators reach it, and its figures, in their own form.
    public var door, figures: Fields?

    init(node: NodeName, address: String, now: Milliseconds, wall: Milliseconds) {
        (self.node, self.address, self.now, self.wall, settled) = (node, address, now, wall, now)
    }

    /// The node's time when the database's clock shows `wall`; nil if it may not be running, because it said so longer
    /// than `age` ago, or the database's clock was set since.
    func time(at wall: Milliseconds, notOlderThan age: Milliseconds) -> Milliseconds? {
        (0...age).contains(wall - self.wall) ? now + wall - self.wall : nil
    }

    var bytes: [UInt8] {
        var fields: Fields = [
            "node": .string(node.text), "address": .string(address), "now": .integer(now), "wall": .integer(wall),
            "settled": .integer(settled), "joining": .bool(isJoining), "links": .integer(links),
            "reads": .strings(reads),
        ]
        if let door { fields["operator"] = .object(door) }
        if let figures { fields["figures"] = .object(figures) }
        return JSONWriter.bytes(fields)
    }

    /// Nil if this release cannot read it.
    public init?(_ bytes: [UInt8]) {
        guard let fields = (try? JSONReader.read(bytes))?.object, let node = fields["node"]?.string,
            let address = fields["address"]?.string, let now = fields["now"]?.integer,
            let wall = fields["wall"]?.integer, let settled = fields["settled"]?.integer,
            let isJoining = fields["joining"]?.bool,
            let links = fields["links"]?.integer
        else { return nil }
        self.init(node: NodeName(node), address: address, now: now, wall: wall)
        (self.settled, self.isJoining, self.links) = (settled, isJoining, links)
        reads = fields["reads"]?.strings ?? []
        (door, figures) = (fields["operator"]?.object, fields["figures"]?.object)
    }
}

/// Which runs have not renewed their leases for too long, as one node sees it. Time in which it did not look counts for
/// no run, so after a database was away all start again.
public struct LeaseWatch {
    /// A run that has not renewed its lease for this long is lost.
    static let limit: Milliseconds = 5_000
    /// The longest pause between two looks. After a longer one, earlier sights are worthless.
    public static let gap: Milliseconds = 2_500

    /// The last sight of a run's lease.
    struct Sight: Equatable {
        /// 0 if it had none.
        var renewals: Int
        /// Since when that has not changed.
        fileprivate(set) var since: Milliseconds
        /// Until when its rooms were owed nothing by its last note, but not later than that was read.
        var settled: Milliseconds
    }

    private var sights: [String: Sight] = [:]
    private var lookedAt: Milliseconds?

    /// Nil if the run was not looked at.
    subscript(run: String) -> Sight? { sights[run] }

    /// Looks at the leases of these runs. Returns the lost ones with the last sight of each.
    mutating func look(
        at leases: [Lease], for runs: [NodeRun], now: Milliseconds
    ) -> [(run: NodeRun, sight: Sight)] {
        // The last notes are kept, since the database may have lost them.
        if let last = lookedAt, now - last > Self.gap { for run in sights.keys { sights[run]?.since = now } }
        lookedAt = now
        var lost: [(run: NodeRun, sight: Sight)] = []
        var still: [String: Sight] = [:]
        for run in runs {
            let lease = leases.first { $0.run == run.run }
            var sight = sights[run.run] ?? Sight(renewals: lease?.renewals ?? 0, since: now, settled: now)
            if let lease {
                if lease.renewals != sight.renewals { (sight.renewals, sight.since) = (lease.renewals, now) }
                if let note = NodeNote(lease.note) { sight.settled = min(note.settled, sight.since) }
            }
            still[run.run] = sight
            if now - sight.since >= Self.limit { lost.append((run, sight)) }
        }
        sights = still
        return lost
    }
}
