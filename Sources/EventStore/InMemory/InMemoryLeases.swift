/// The leases of runs, and which runs are fenced, as a database has them. A fence is never forgotten here: what is in
/// memory does not last that long.
struct InMemoryLeases: Sendable {
    private var leases: [String: Lease] = [:]
    private var fenced: Set<String> = []

    func isFenced(_ run: String) -> Bool { fenced.contains(run) }

    mutating func fence(_ run: String) {
        fenced.insert(run)
        leases[run] = nil
    }

    mutating func renew(_ run: String, _ note: [UInt8]) {
        guard !fenced.contains(run) else { return }
        leases[run] = Lease(run: run, note: note, renewals: (leases[run]?.renewals ?? 0) + 1)
    }

    /// As `run` is told it.
    func renewal(of run: String, at time: Int) -> LeaseRenewal {
        let sorted = leases.values.sorted { $0.run.utf8.lexicographicallyPrecedes($1.run.utf8) }
        return LeaseRenewal(time: time, isFenced: fenced.contains(run), leases: sorted)
    }
}
