import Games

/// Other nodes that nothing comes from, until each of their loops has said again of all its rooms who is there.
struct UnheardNodes {
    private struct Silence {
        let since: Milliseconds
        /// Loops of the node that have been heard again.
        var heard: Set<Int> = []
        /// How many it has; nil while none of them has been heard.
        var loops: Int?
    }

    private var silences: [NodeName: Silence] = [:]

    /// The node was heard last at `since`.
    mutating func fell(_ node: NodeName, since: Milliseconds) {
        silences[node] = Silence(since: min(since, silences[node]?.since ?? since))
    }

    /// One of the node's loops has said of all its rooms who is there.
    mutating func heard(_ note: HandOverNote, of node: NodeName) {
        guard var silence = silences[node] else { return }
        silence.loops = note.loops
        silence.heard.insert(note.loop)
        silences[node] = silence.heard.count < note.loops ? silence : nil
    }

    mutating func forget(where isGone: (NodeName) -> Bool) { silences = silences.filter { !isGone($0.key) } }

    /// Those that may have members of the room whom nobody here knows of, and since when each is not heard.
    func all(of room: String) -> [(node: NodeName, since: Milliseconds)] {
        silences.filter { _, silence in
            silence.loops.map { !silence.heard.contains(shardIndex(ofRoom: room, count: $0)) } ?? true
        }
        .map { ($0.key, $0.value.since) }.sorted { $0.node < $1.node }
    }
}
