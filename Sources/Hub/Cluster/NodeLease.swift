import EventStore
import Games
import JSON

/// What a node says of itself with its lease.
struct NodeNote: Equatable {
    let node: NodeName
    let address: String
    /// By its hub's clock.
    let now: Milliseconds
    /// By the database's, as the node knows it.
    let wall: Milliseconds
    /// Up to when its rooms are owed no time, as its hub's clock counts it: what was lost until then is in the log.
    var settled: Milliseconds
    /// Whether it is about to serve rooms: others are linked to it before it does.
    var isJoining = false
    /// How many of those that serve rooms it is linked to.
    var links = 0
    /// The types of all events of rooms that it reads.
    var reads: [String] = []
    /// How whoever runs it reaches it.
    var door: OperatorDoor?
    var figures: NodeFigures?

    init(node: NodeName, address: String, now: Milliseconds, wall: Milliseconds) {
        (self.node, self.address, self.now, self.wall, settled) = (node, address, now, wall, now)
    }

    /// What time it is for that node when the database's clock shows `wall`; nil where it is not clear whether it still
    /// runs, since it has said this longer ago than `age`, or the database's clock was set since.
    func time(at wall: Milliseconds, notOlderThan age: Milliseconds) -> Milliseconds? {
        (0...age).contains(wall - self.wall) ? now + wall - self.wall : nil
    }

    var bytes: [UInt8] {
        var fields: Fields = [
            "node": .string(node.text), "address": .string(address), "now": .integer(now), "wall": .integer(wall),
            "settled": .integer(settled), "joining": .bool(isJoining), "links": .integer(links),
            "reads": .strings(reads),
        ]
        if let door { fields["operator"] = .object(door.fields) }
        if let figures { fields["figures"] = .object(figures.fields) }
        return JSONWriter.bytes(fields)
    }

    /// Nil where it is none that this release knows.
    init?(_ bytes: [UInt8]) {
        guard let fields = (try? JSONReader.read(bytes))?.object, let node = fields["node"]?.string,
            let address = fields["address"]?.string, let now = fields["now"]?.integer,
            let wall = fields["wall"]?.integer, let settled = fields["settled"]?.integer,
            let isJoining = fields["joining"]?.bool,
            let links = fields["links"]?.integer
        else { return nil }
        self.init(node: NodeName(node), address: address, now: now, wall: wall)
        (self.settled, self.isJoining, self.links) = (settled, isJoining, links)
        reads = fields["reads"]?.strings ?? []
        door = fields["operator"]?.object.flatMap { OperatorDoor($0) }
        figures = fields["figures"]?.object.flatMap { NodeFigures($0) }
    }
}

/// Which runs of nodes have not renewed their leases for too long, as one node sees it. What it did not look at itself
/// it does not hold against anybody: after a database was away, all begin anew.
struct LeaseWatch {
    /// Who has not renewed a lease for so long is lost.
    static let limit: Milliseconds = 5_000
    /// Between two looks at most; past it all that was seen before is of no use.
    static let gap: Milliseconds = 2_500

    /// What was seen last of a run's lease.
    struct Sight: Equatable {
        /// 0: it had none.
        var renewals: Int
        /// From when on it has been so.
        fileprivate(set) var since: Milliseconds
        /// Up to when its rooms were owed no time, as its node said last; not ahead of when that was heard.
        var settled: Milliseconds
    }

    private var sights: [String: Sight] = [:]
    private var lookedAt: Milliseconds?

    /// Nil where the run was not looked at.
    subscript(run: String) -> Sight? { sights[run] }

    /// Of these runs, who is lost, and what was seen of each last.
    mutating func look(
        at leases: [Lease], for runs: [NodeRun], now: Milliseconds
    ) -> [(run: NodeRun, sight: Sight)] {
        // But for what each has said last: the database may have lost that.
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
