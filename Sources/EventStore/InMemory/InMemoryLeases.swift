import Records

/// The leases and room reports of runs, and which runs are fenced, as a database stores them. Fences are never
/// forgotten here, because the memory does not live that long.
struct InMemoryLeases: Sendable {
    private var leases: [String: Lease] = [:]
    private var fences: [String: Fencing] = [:]
    /// By run, then by room.
    private var presence: [String: [String: Said]] = [:]

    private struct Said {
        let count: RoomPresence
        /// How often the run's lease had been renewed then.
        let renewals: Int
    }

    func isFenced(_ run: String) -> Bool { fences[run] != nil }

    func fence(of run: String) -> Fencing? { fences[run] }

    /// Whether the run has renewed its lease since it was last seen, and so is not lost.
    func hasRenewed(since fencing: Fencing) -> Bool {
        guard let seen = fencing.renewals, let lease = leases[fencing.run] else { return false }
        return lease.renewals != seen
    }

    mutating func fence(_ fencing: Fencing) {
        fences[fencing.run] = fences[fencing.run] ?? fencing
        (leases[fencing.run], presence[fencing.run]) = (nil, nil)
    }

    /// After a power loss, or on a replica that takes over, only fences are left.
    mutating func loseUnlogged() { (leases, presence) = ([:], [:]) }

    mutating func renew(_ run: String, _ note: [UInt8], _ report: PresenceReport) {
        guard fences[run] == nil else { return }
        let renewals = (leases[run]?.renewals ?? 0) + 1
        leases[run] = Lease(run: run, note: note, renewals: renewals)
        var rooms = presence[run] ?? [:]
        if report.isWhole {
            for (room, said) in rooms where said.count.isSomebody {
                rooms[room] = Said(count: RoomPresence(room: room, present: 0, spectators: 0), renewals: renewals)
            }
        }
        for count in report.rooms { rooms[count.room] = Said(count: count, renewals: renewals) }
        presence[run] = rooms.filter { $1.count.isSomebody || $1.renewals > renewals - PresenceReport.leftFor }
    }

    /// The answer to `run`, which has sent this report; nil if it only reads.
    func renewal(
        of run: String, at time: Int, behind report: PresenceReport?, saying silences: [Silence], hubVersion: Int
    ) -> LeaseRenewal {
        let sorted = leases.values.sorted { $0.run.utf8.lexicographicallyPrecedes($1.run.utf8) }
        var said: [String: [RoomPresence]] = [:]
        if let report {
            for (other, rooms) in presence where other != run {
                let new = rooms.values.filter { $0.renewals > report.seen[other] ?? 0 }.map(\.count)
                if !new.isEmpty { said[other] = new }
            }
        }
        return LeaseRenewal(
            time: time, isFenced: fences[run] != nil, leases: sorted, presence: said, silences: silences,
            hubVersion: hubVersion)
    }
}
