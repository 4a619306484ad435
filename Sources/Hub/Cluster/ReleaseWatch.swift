import Games
import RoomRules

/// Which events of rooms nodes of other releases cannot read: nobody writes those while they serve beside this one.
struct ReleaseWatch {
    /// By runs, what each has said that it reads.
    private var reads: [String: Set<String>] = [:]
    /// Of this node's events, those that some other cannot read; none where all nodes are of one release.
    private(set) var unreadable: Set<String> = []

    /// Whether the run has said what it reads.
    func knows(_ run: String) -> Bool { reads[run] != nil }

    /// Whether it is another set than before. `runs`: those that serve, or are about to, but this one; who is not heard
    /// of just now still reads what it did.
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
    /// All loops hear of what nobody may write.
    func noteReleases() {
        let runs = others + peers.candidates
        let notes = runs.compactMap { run in peers.note(of: run).map { (run.run, $0) } }
        guard releases.look(at: notes, for: runs.map(\.run), own: surroundings.games.eventTypes) else { return }
        let types = releases.unreadable
        for shard in 0..<shards.count { shards.post(.othersCannotRead(types), to: shard) }
        if types.isEmpty {
            surroundings.loggers.hub.notice("all nodes read what this one writes")
        } else {
            surroundings.loggers.hub.warning(
                "a node of an older release serves rooms: this one writes nothing that it cannot read",
                metadata: ["events": "\(types.sorted().joined(separator: ", "))"])
        }
    }
}

// What a room does about them.
extension RoomHome {
    /// What a node beside this one could not go on with.
    func firstUnreadable(of decision: Decision) -> String? {
        if let type = decision.written.lazy.map(\.type).first(where: surroundings.unreadable.contains) { return type }
        // Another game is chosen.
        guard let kind = decision.state.kind, kind.name != stream.state.kind?.name else { return nil }
        return kind.eventTypes.first(where: surroundings.unreadable.contains)
    }

    /// Whoever asked is told; what the room would do of itself is tried again.
    func wait(with cause: PendingAppend.Cause, because rejection: Rejection) {
        refuse(cause, rejection)
        // It comes ahead of all that waits.
        if case .room = cause { refuseWaiting(because: rejection) }
        computers.forgetRequests()
    }
}
