import EventStore

/// Tells other nodes with each renewal of this run's lease how many are in its rooms, and takes what they say of
/// theirs. Lists are a second late by that, and no link has to be up for it.
struct PresenceExchange {
    /// Most rooms in one report; others follow a second later. A database writes so many in some 200 ms, and a renewal
    /// must not be late.
    static let roomLimit = 5_000

    private let run: String
    private let counts: PresenceCounts
    /// How often this run's lease had been renewed by the last answer. Nil: what was said and seen may be lost, as
    /// after a crash of the database, whose table of it is then empty.
    private var renewals: Int?
    /// How often the leases of others had been renewed when all was read that they had said.
    private var seen: [String: Int] = [:]
    /// The same as it went with the report that is under way.
    private var asked: [String: Int] = [:]

    init(run: String, counts: PresenceCounts) { (self.run, self.counts) = (run, counts) }

    /// What goes with the next renewal. One is under way at a time.
    mutating func report() -> PresenceReport {
        asked = seen
        let isWhole = renewals == nil
        return PresenceReport(
            rooms: counts.takeChanges(all: isWhole, limit: Self.roomLimit), isWhole: isWhole, seen: seen)
    }

    /// What came of that renewal. `isThere`: whether a run serves rooms; what others say does not count.
    mutating func received(_ result: Result<LeaseRenewal, EventLogError>, isThere: (String) -> Bool) {
        guard case .success(let renewal) = result, let own = renewal.leases.first(where: { $0.run == run })?.renewals,
            own == renewals.map({ $0 + 1 }) ?? own
        else { return (renewals, seen) = (nil, [:]) }
        renewals = own
        for lease in renewal.leases where lease.run != run && isThere(lease.run) {
            // It has gone and come back since it was asked for.
            guard asked[lease.run] == seen[lease.run] else { continue }
            take(renewal.presence[lease.run] ?? [], saidBy: lease)
        }
    }

    private mutating func take(_ said: [RoomPresence], saidBy lease: Lease) {
        guard let last = seen[lease.run] else {
            // With its first renewal in a table it may not have noticed yet that all was lost which it had said.
            let isAll = lease.renewals > 1
            counts.set(said, by: lease.run, isAll: isAll)
            if isAll { seen[lease.run] = lease.renewals }
            return
        }
        // After longer nothing says any more which rooms everybody has left: then all of them are asked for.
        let isWhole = (last...last + PresenceReport.leftFor).contains(lease.renewals)
        if isWhole { counts.set(said, by: lease.run, isAll: false) }
        seen[lease.run] = isWhole ? lease.renewals : nil
    }

    /// These runs have left or were declared lost: nobody is in rooms of theirs.
    mutating func forget(_ isGone: (String) -> Bool) {
        counts.forget(isGone)
        seen = seen.filter { !isGone($0.key) }
    }
}
