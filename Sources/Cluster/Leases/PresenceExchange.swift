import EventStore
import Rooms

/// Reports how many people are in this run's rooms with each renewal of its lease, and reads the reports of others.
/// Lists are a second late by that, but need no link.
struct PresenceExchange {
    /// Most rooms in a report. The rest follow a second later. A database takes some 200 ms to write this many, and a
    /// renewal must not be late.
    static let roomLimit = 5_000

    private let run: String
    private let counts: PresenceCounts
    /// The count of this run's renewals by the last answer; nil if reports may be lost in both directions, as after a
    /// crash of the database, which empties the reports' table.
    private var renewals: Int?
    /// The renewal counts of others when all their reports had been read.
    private var seen: [String: Int] = [:]
    /// The same counts as sent with the running report.
    private var asked: [String: Int] = [:]

    init(run: String, counts: PresenceCounts) { (self.run, self.counts) = (run, counts) }

    /// The report for the next renewal. Only one runs at a time.
    mutating func report() -> PresenceReport {
        asked = seen
        let isWhole = renewals == nil
        return PresenceReport(
            rooms: counts.takeChanges(all: isWhole, limit: Self.roomLimit), isWhole: isWhole, seen: seen)
    }

    /// Takes the answer to that renewal. `isThere` says whether a run serves rooms. Other runs' reports are ignored.
    mutating func leasesRead(_ result: Result<LeaseRenewal, EventLogError>, isThere: (String) -> Bool) {
        guard case .success(let renewal) = result, let own = renewal.leases.first(where: { $0.run == run })?.renewals,
            own == renewals.map({ $0 + 1 }) ?? own
        else { return (renewals, seen) = (nil, [:]) }
        renewals = own
        for lease in renewal.leases where lease.run != run && isThere(lease.run) {
            // The run has gone and come back since the request.
            guard asked[lease.run] == seen[lease.run] else { continue }
            recordPresence(renewal.presence[lease.run] ?? [], saidBy: lease)
        }
    }

    private mutating func recordPresence(_ said: [RoomPresence], saidBy lease: Lease) {
        guard let last = seen[lease.run] else {
            // At its first renewal in a new table, the run may not have noticed yet that its reports were lost.
            let isAll = lease.renewals > 1
            counts.set(said, by: lease.run, isAll: isAll)
            if isAll { seen[lease.run] = lease.renewals }
            return
        }
        // Later than this, the table no longer has rooms that everyone has left, so all rooms are asked for.
        let isWhole = (last...last + PresenceReport.leftFor).contains(lease.renewals)
        if isWhole { counts.set(said, by: lease.run, isAll: false) }
        seen[lease.run] = isWhole ? lease.renewals : nil
    }

    /// These runs have left or were declared lost, so no one is in their rooms.
    mutating func forget(_ isGone: (String) -> Bool) {
        counts.forget(isGone)
        seen = seen.filter { !isGone($0.key) }
    }
}
