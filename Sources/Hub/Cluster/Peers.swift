import EventStore
import Games

/// What a node knows of the others: by their leases, when it looked at them last, and by its links.
struct Peers {
    /// Who is about to serve rooms: others are linked to them before they do.
    private(set) var candidates: [NodeRun] = []
    private var watch = LeaseWatch()
    private var links = LinkWatch()
    /// The database's time at the last look.
    private var lookedAt = 0
    /// What each run said of itself that was clearly there then.
    private var notes: [String: NodeNote] = [:]
    /// How often each run's lease had been renewed, and which of them were since the look before.
    private var renewals: [String: Int] = [:]
    private var renewed: Set<String> = []

    /// To be called with each renewal, ahead of all that asks about leases.
    mutating func look(at renewal: LeaseRenewal) {
        lookedAt = renewal.time
        notes = [:]
        for lease in renewal.leases {
            guard let note = NodeNote(lease.note),
                note.time(at: lookedAt, notOlderThan: LeaseWatch.gap) != nil
            else { continue }
            notes[lease.run] = note
        }
        renewed = Set(renewal.leases.filter { (renewals[$0.run] ?? $0.renewals) != $0.renewals }.map(\.run))
        renewals = Dictionary(renewal.leases.map { ($0.run, $0.renewals) }) { _, newest in newest }
    }

    // MARK: Leases

    /// What the run says of itself; nil where it is not clear that it is there.
    func note(of run: NodeRun) -> NodeNote? { notes[run.run] }

    /// What time it is for another node; nil where that has not said so just now.
    func time(of run: NodeRun) -> Milliseconds? { note(of: run)?.time(at: lookedAt, notOlderThan: LeaseWatch.gap) }

    /// What time it is for whoever serves longest, or, where that says none, for who is furthest: the database's clock
    /// may have been set when this one asked for it.
    func time(by runs: [NodeRun]) -> Milliseconds? {
        // Old leases look new where the database's clock was set back: who is there renews.
        let present = runs.filter { renewed.contains($0.run) }
        return runs.first.flatMap { time(of: $0) } ?? present.compactMap { time(of: $0) }.max()
    }

    /// As `LeaseWatch.look`.
    mutating func lost(
        of runs: [NodeRun], by leases: [Lease], now: Milliseconds
    ) -> [(run: NodeRun, sight: LeaseWatch.Sight)] { watch.look(at: leases, for: runs, now: now) }

    /// What was seen last of the run's lease; nil where it was not looked at.
    func sight(of run: String) -> LeaseWatch.Sight? { watch[run] }

    /// Whether the run has renewed its lease since it had done so `renewals` times.
    func hasRenewed(_ run: String, since renewals: Int) -> Bool {
        self.renewals[run].map { $0 != renewals } ?? false
    }

    /// Looks for who is about to serve, beside those who do; whether others are than before.
    mutating func findCandidates(among leases: [Lease], beside roll: NodeRoll, _ node: NodeRun) -> Bool {
        let before = candidates
        candidates = []
        for run in leases.map(\.run) where run != node.run && !roll.has(run: run) {
            guard let note = notes[run], note.isJoining, roll[note.node] == nil,
                !candidates.contains(where: { $0.node == note.node })
            else { continue }
            candidates.append(NodeRun(node: note.node, run: run, address: note.address))
        }
        return candidates != before
    }

    // MARK: Links

    mutating func see(_ sight: LinkSight, of other: NodeName) { links.see(sight, of: other) }

    func isLinked(to other: NodeRun) -> Bool { links.isLinked(to: other) }

    func linkCount(among others: [NodeRun]) -> Int { links.count(among: others) }

    /// As `LinkWatch.winner`.
    func winner(over node: NodeName, among others: [NodeRun], at now: Milliseconds) -> NodeRun? {
        let present = others.compactMap { other in note(of: other).map { (run: other, note: $0) } }
        return links.winner(over: node, among: present, at: now)
    }
}
