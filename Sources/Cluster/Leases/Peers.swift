import EventStore
import Games
import RoomRules

/// What a node knows about the others, from the last look at their leases and from its links.
struct Peers {
    /// Nodes that are about to serve. Others link to them before they do.
    private(set) var candidates: [NodeRun] = []
    var watch = LeaseWatch()
    var links = LinkWatch()
    /// The database's time at the last look.
    private var lookedAt = 0
    /// The notes of runs that were clearly running at that look.
    private var notes: [String: NodeNote] = [:]
    /// How often each run's lease had been renewed, and which leases were renewed since the previous look.
    private var renewals: [String: Int] = [:]
    private var renewed: Set<String> = []

    /// Called with each renewal, before any question about leases.
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

    /// The run's note; nil if it may not be running.
    func note(of run: NodeRun) -> NodeNote? { notes[run.run] }

    /// Another node's time; nil if it has not reported it just before.
    func time(of run: NodeRun) -> Milliseconds? { note(of: run)?.time(at: lookedAt, notOlderThan: LeaseWatch.gap) }

    /// The time of the node that has served longest, or else the latest time of any, since the database's clock may
    /// have been set when this node asked for it; nil if none is known.
    func time(by runs: [NodeRun]) -> Milliseconds? {
        // Old leases look new if the database's clock was set back, but running nodes renew theirs.
        let present = runs.filter { renewed.contains($0.run) }
        return runs.first.flatMap { time(of: $0) } ?? present.compactMap { time(of: $0) }.max()
    }

    /// Whether the run has renewed its lease since its count was `renewals`.
    func hasRenewed(_ run: String, since renewals: Int) -> Bool {
        self.renewals[run].map { $0 != renewals } ?? false
    }

    /// Looks for nodes that are about to serve. Returns whether they have changed.
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

    /// As `LinkWatch.winner`.
    func winner(
        over node: NodeName, isServing: Bool, among others: [NodeRun], at now: Milliseconds
    ) -> NodeRun? {
        let present = others.compactMap { other in note(of: other).map { (run: other, note: $0) } }
        return links.winner(over: node, isServing: isServing, among: present, at: now)
    }
}
