import Games

// Time in which players at other nodes could not be heard, or in which no node judged the room: it counts against
// nobody. What a home cannot hear it does not take for not said.
extension RoomHome {
    /// Longer than a link is missed before one of its two nodes leaves, and another takes the room over.
    private static let longestSilence: Milliseconds = 60_000

    /// Whether players are at a node that is not heard: until it is, or is none any more, nothing is judged.
    var awaitsPlayers: Bool {
        outposts.all.contains { $0.unheardSince != nil && isAnyWaitedFor($0.party.players.keys) }
    }

    /// Nothing comes from a node since then.
    func linkIsDown(to node: NodeName, since: Milliseconds) { outposts.fallSilent(node, since: since) }

    /// The node has said of all its rooms who is there, and nothing of this one.
    func forgetIfSilent(_ node: NodeName) { if outposts[node]?.unheardSince != nil { forget(node) } }

    /// A node is heard, or is none any more. `audience`: who is there by it. `since`: by what it says of itself.
    func hear(of node: NodeName, _ audience: Audience? = nil, since: Milliseconds? = nil) {
        let outpost = outposts[node]
        guard let since = earlier(outpost?.unheardSince, since) else { return }
        let isMissed = outpost.map { isAnyWaitedFor($0.party.players.keys) } ?? false
        if isMissed || isAnyWaitedFor(audience?.players.map(\.id) ?? []) { noteSilence(since: since) }
    }

    /// From now on this home judges.
    func endVacancy() {
        if let since = vacantSince { noteSilence(since: since) }
        vacantSince = nil
    }

    private func noteSilence(since: Milliseconds) {
        let now = surroundings.now
        let from = max(since, now - Self.longestSilence)
        if from < now { silences.append(Outage(from: from, until: now)) }
    }

    /// Whether any of them takes part in what has a clock.
    private func isAnyWaitedFor(_ players: some Collection<PlayerID>) -> Bool {
        let state = stream.state
        guard !players.isEmpty, state.isInGame || state.proposal != nil else { return false }
        return players.contains { state.seat(of: $0) != nil }
    }
}
