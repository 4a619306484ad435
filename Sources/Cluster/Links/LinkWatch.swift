import Games
import RoomRules

/// Which other nodes this one is linked to, and whether it must make way for one that it cannot be linked to, since no
/// member may be out of reach of a room's home for long.
struct LinkWatch {
    /// If two nodes have not been linked for this long, one leaves.
    static let limit: Milliseconds = 3_000

    private var sights: [NodeName: LinkSight] = [:]

    mutating func see(_ sight: LinkSight, of node: NodeName) { sights[node] = sight }

    func isLinked(to other: NodeRun) -> Bool {
        sights[other.node].map { $0.isLinked && $0.run == other.run } ?? false
    }

    func count(among others: [NodeRun]) -> Int { others.count { isLinked(to: $0) } }

    /// A running node that cannot be linked to this one, which must leave because it has fewer links, or as many and
    /// the greater name, or because it joins again. `others` are the running nodes that serve, with their notes.
    func winner(
        over node: NodeName, isServing: Bool, among others: [(run: NodeRun, note: NodeNote)], at now: Milliseconds
    ) -> NodeRun? {
        let own = isServing ? count(among: others.map(\.run)) : -1
        return others.first { other in
            guard let sight = sights[other.run.node], sight.run == other.run.run, !sight.isLinked,
                now - sight.since >= Self.limit
            else { return false }
            return (own, other.run.node) < (other.note.links, node)
        }?.run
    }
}
