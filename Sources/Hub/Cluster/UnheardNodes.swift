import EventStore
import Games

/// Other nodes that nothing comes from, until each of their loops has said again of all its rooms who is there.
struct UnheardNodes {
    /// Since when a node's loops are not heard.
    private enum Silence {
        /// All of them, however many it has: none has been heard.
        case all(Milliseconds)
        /// Each one; nil: it has been heard again.
        case each([Milliseconds?])
    }

    private var silences: [NodeName: Silence] = [:]

    /// The node was heard last at `since`.
    mutating func fell(_ node: NodeName, since: Milliseconds) {
        silences[node] =
            switch silences[node] {
            case nil: .all(since)
            case .all(let earlier): .all(min(since, earlier))
            // The link falls again: what has been heard meanwhile was there until now.
            case .each(let loops): .each(loops.map { min(since, $0 ?? since) })
            }
    }

    /// One of the node's loops has said of all its rooms who is there.
    mutating func heard(_ note: HandOverNote, of node: NodeName) {
        var loops: [Milliseconds?]
        switch silences[node] {
        case nil: return
        case .all(let since): loops = Array(repeating: since, count: note.loops)
        case .each(let known) where known.count == note.loops: loops = known
        // It was started again with more loops, or fewer: none of these has been heard.
        case .each(let known): loops = Array(repeating: known.lazy.compactMap(\.self).min(), count: note.loops)
        }
        loops[note.loop] = nil
        silences[node] = loops.contains { $0 != nil } ? .each(loops) : nil
    }

    mutating func forget(where isGone: (NodeName) -> Bool) { silences = silences.filter { !isGone($0.key) } }

    /// Those that may have members of the room whom nobody here knows of, and since when each is not heard.
    func all(of room: String) -> [(node: NodeName, since: Milliseconds)] {
        silences.compactMap { node, silence in
            switch silence {
            case .all(let since): (node, since)
            case .each(let loops): loops[shardIndex(ofRoom: room, count: loops.count)].map { (node, $0) }
            }
        }
        .sorted { $0.node < $1.node }
    }
}
