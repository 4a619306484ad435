import Games

// Time in which players at other nodes could not be heard, or in which no node judged the room: it counts against
// nobody. What a home cannot hear it does not take for not said.
extension RoomHome {
    /// What another node claims counts for so long at most: longer than a link is missed before one of its two nodes
    /// leaves, and another takes the room over.
    private static let longestClaim: Milliseconds = 60_000

    /// Whether players are at a node that is not heard: until it is, or is none any more, nothing is judged.
    var awaitsPlayers: Bool { outposts.all.contains { $0.unheardSince != nil && isAnyWaitedFor(at: $0) } }

    /// Who is missing may be at a node that this home has not heard yet.
    private func expectUnheard() {
        guard isAnyMissing else { return }
        for (node, since) in surroundings.cluster?.unheard.all(of: stream.code) ?? [] where outposts[node] == nil {
            let outpost = Outposts.Outpost(node: node, session: nil, party: Outposts.Party(), unheardSince: since)
            outposts.add(outpost, beside: edge?.audience)
        }
    }

    /// Nothing comes from a node since then.
    func linkIsDown(to node: NodeName, since: Milliseconds) { outposts.fallSilent(node, since: since) }

    /// The node has said of all its rooms who is there, and nothing of this one.
    func forgetIfSilent(_ node: NodeName) { if outposts[node]?.unheardSince != nil { forget(node) } }

    /// A node is heard, or is none any more. `audience`: who is there by it. `since`: by what it says of itself.
    func hear(of node: NodeName, _ audience: Audience? = nil, since: Milliseconds? = nil) {
        let outpost = outposts[node]
        let claimed = since.map { max($0, surroundings.now - Self.longestClaim) }
        guard let since = earlier(outpost?.unheardSince, claimed) else { return }
        let isMissed = outpost.map { isAnyWaitedFor(at: $0) } ?? false
        if isMissed || isAnyWaitedFor(audience?.players.map(\.id) ?? []) { noteSilence(since: since) }
    }

    /// From now on this home judges.
    func endVacancy() {
        expectUnheard()
        if let since = vacantSince { noteSilence(since: since) }
        vacantSince = nil
    }

    private func noteSilence(since: Milliseconds) {
        let now = surroundings.now
        guard since < now else { return }
        guard let last = silences.last, since <= last.until else {
            return silences.append(Outage(from: since, until: now))
        }
        silences[silences.count - 1] = Outage(from: min(since, last.from), until: now)
    }

    /// Since when something counts against nobody that is not in the log yet, for the next home; nil: nothing does.
    var uncountedSince: Milliseconds? {
        let unheard = outposts.all.filter { isAnyWaitedFor(at: $0) }.compactMap(\.unheardSince).min()
        return earlier(vacantSince, earlier(silences.map(\.from).min(), unheard))
    }

    private func isAnyWaitedFor(at outpost: Outposts.Outpost) -> Bool {
        outpost.session == nil ? isAnyMissing : isAnyWaitedFor(outpost.party.players.keys)
    }

    /// Whether any of them takes part in a game, or in what is proposed.
    private func isAnyWaitedFor(_ players: some Collection<PlayerID>) -> Bool {
        let state = stream.state
        guard !players.isEmpty else { return false }
        if state.isInGame { return players.contains { state.playing.values.contains($0) } }
        return state.proposal != nil && players.contains { state.seat(of: $0) != nil }
    }

    /// Whether anybody who is waited for is not there by any edge that is heard.
    private var isAnyMissing: Bool {
        let state = stream.state
        return state.players.contains { !attendance.isConnected($0) && isAnyWaitedFor(CollectionOfOne($0)) }
    }
}
