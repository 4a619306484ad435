import Games

/// How far a loop of a node is with a change of homes.
struct HandOverNote: Equatable, Sendable {
    /// More loops than any node has.
    static let loopLimit = 1_024

    let epoch: Int
    /// Whether it has let go of all rooms that are others' by that; else it knows of the change.
    let isSettled: Bool
    /// Up to which version of the stream `hub` all time stands in which its rooms could not be played; nil: some is not
    /// in the log yet.
    let hubVersion: Int?
    /// One of so many.
    let loop: Int
    let loops: Int
}

/// Which rooms a loop may not read yet, since another node may still judge them. When homes move, every loop of every
/// node says when it knows of it, when it is settled, and when all that does not count is in the log: from then on
/// nothing of the rooms' past is missing, neither what was written nor time.
struct HandOver {
    static let timer: UInt64 = .max - 6
    /// By then a node that says nothing judges nothing any more: nobody has heard from it, or it has let go.
    static let limit: Milliseconds = 5_000
    /// Who comes back later has not waited.
    private static let memory: Milliseconds = 10_000

    /// Homes that have moved, and not all nodes are settled.
    private struct Change {
        let before: Membership
        let epoch: Int
        let begun: Milliseconds

        var end: Milliseconds { begun + HandOver.limit }
    }

    /// The newest epoch that each loop of a node knows of, and in which it is settled.
    private struct Loops {
        var known: [Int]
        var settled: [Int]
        /// Up to where the outages of each stand, by what it has said last.
        var hubVersions: [Int?]

        /// The epoch in which all are settled; 0 for who has read less of the stream `hub` than what is to be known.
        func settledEpoch(forReaderAt version: Int) -> Int {
            hubVersions.allSatisfy { $0.map { $0 <= version } ?? false } ? settled.min() ?? 0 : 0
        }
    }

    private var changes: [Change] = []
    /// Those that are over, for as long as members may not have come back by them.
    private var past: [Change] = []
    private var others: [NodeName: Loops] = [:]

    /// Other nodes serve than before.
    mutating func begin(_ now: Membership, after before: Membership, at time: Milliseconds) {
        // The log has lost some of them: what was said of those says nothing of the ones that come.
        if now.epoch < before.epoch { others = [:] }
        // Who has joined may say so before this node has heard of it.
        others = others.filter { now.nodes.contains($0.key) || $0.value.known.contains { $0 > now.epoch } }
        changes.append(Change(before: before, epoch: now.epoch, begun: time))
    }

    mutating func note(_ note: HandOverNote, of node: NodeName) {
        var loops = others[node] ?? Loops(known: [], settled: [], hubVersions: [])
        // It was started again with more loops, or fewer.
        if loops.known.count != note.loops {
            loops.known = Array(repeating: 0, count: note.loops)
            loops.settled = loops.known
            loops.hubVersions = Array(repeating: nil, count: note.loops)
        }
        loops.known[note.loop] = max(loops.known[note.loop], note.epoch)
        if note.isSettled {
            loops.settled[note.loop] = max(loops.settled[note.loop], note.epoch)
            loops.hubVersions[note.loop] = note.hubVersion
        }
        others[node] = loops
    }

    /// Lets go of what is over: how long each change took that was. `hubVersion`: what has been read of the stream
    /// `hub`.
    mutating func finish(
        among nodes: some Sequence<NodeName>, at time: Milliseconds, hubVersion: Int
    ) -> [Milliseconds] {
        guard !changes.isEmpty else { return [] }
        let settled = nodes.map { others[$0]?.settledEpoch(forReaderAt: hubVersion) ?? 0 }.min() ?? .max
        let over = changes.filter { $0.epoch <= settled || $0.end <= time }
        changes.removeAll { $0.epoch <= settled || $0.end <= time }
        past += over
        return over.map { time - $0.begun }
    }

    /// Changes that are not over.
    var count: Int { changes.count }

    /// When it is over at the latest; nil: it is.
    var deadline: Milliseconds? { changes.first?.end }

    /// Whether this node, which is the room's home, may read it.
    func isOver(for room: String, at node: NodeName) -> Bool {
        changes.allSatisfy { $0.before.home(ofRoom: room) == node }
    }

    /// Since when a room has had another home than this node, where it has not been this node's for long.
    mutating func whenMoved(_ room: String, to node: NodeName, at time: Milliseconds) -> Milliseconds? {
        past.removeAll { $0.begun + Self.memory <= time }
        return (past + changes).first { $0.before.home(ofRoom: room) != node }?.begun
    }
}
