/// The leases of runs, and which runs are fenced, as a database has them. A fence is never forgotten here: what is in
/// memory does not last that long.
struct InMemoryLeases: Sendable {
    private var leases: [String: Lease] = [:]
    private var fences: [String: Fencing] = [:]

    func isFenced(_ run: String) -> Bool { fences[run] != nil }

    func fence(of run: String) -> Fencing? { fences[run] }

    /// Whether the run has renewed its lease since it was seen last, and so is not lost.
    func hasRenewed(since fencing: Fencing) -> Bool {
        guard let seen = fencing.renewals, let lease = leases[fencing.run] else { return false }
        return lease.renewals != seen
    }

    mutating func fence(_ fencing: Fencing) {
        fences[fencing.run] = fences[fencing.run] ?? fencing
        leases[fencing.run] = nil
    }

    mutating func renew(_ run: String, _ note: [UInt8]) {
        guard fences[run] == nil else { return }
        leases[run] = Lease(run: run, note: note, renewals: (leases[run]?.renewals ?? 0) + 1)
    }

    /// As `run` is told it.
    func renewal(of run: String, at time: Int) -> LeaseRenewal {
        let sorted = leases.values.sorted { $0.run.utf8.lexicographicallyPrecedes($1.run.utf8) }
        return LeaseRenewal(time: time, isFenced: fences[run] != nil, leases: sorted)
    }
}
