import RoomRules
import Rooms

/// Which events of rooms cannot be read by nodes of other releases. They are not written while such a node serves.
struct ReleaseWatch {
    /// By run, the events that each has said it reads.
    private var reads: [String: Set<String>] = [:]
    /// This node's events that another node cannot read; empty if all nodes are of one release.
    private(set) var unreadable: Set<String> = []

    func knows(_ run: String) -> Bool { reads[run] != nil }

    /// Returns whether the unreadable events have changed. `runs` are the others that serve or are about to. One
    /// without a current note still reads what it did.
    mutating func look(at notes: [(run: String, note: NodeNote)], for runs: [String], own: [String]) -> Bool {
        reads = reads.filter { runs.contains($0.key) }
        for (run, note) in notes where runs.contains(run) { reads[run] = Set(note.reads) }
        let before = unreadable
        unreadable = Set(own.filter { type in reads.values.contains { !$0.contains(type) } })
        return unreadable != before
    }
}

// Nodes of several releases.
extension NodeKeeper {
    /// Tells all loops which events must not be written.
    func noteReleases() {
        let runs = others + peers.candidates
        let notes = runs.compactMap { run in peers.note(of: run).map { (run.run, $0) } }
        guard releases.look(at: notes, for: runs.map(\.run), own: surroundings.games.eventTypes) else { return }
        let types = releases.unreadable
        loops.postToAll(.othersCannotRead(types))
        if types.isEmpty {
            surroundings.loggers.write(.allNodesRead)
        } else {
            surroundings.loggers.write(.olderNodeServes, ["events": "\(types.sorted().joined(separator: ", "))"])
        }
    }
}
