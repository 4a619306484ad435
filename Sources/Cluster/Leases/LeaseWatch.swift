import EventStore
import Games
import RoomRules

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
    mutating func look(at leases: [Lease], for runs: [NodeRun], now: Milliseconds) -> [(run: NodeRun, sight: Sight)] {
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
