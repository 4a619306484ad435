// The database dies, and a replica that lags behind replaces it.
extension Faults {
    /// A replica falls behind from now on.
    func beginFailOver(_ choices: inout Choices) {
        guard replica == nil else { return }
        lastReplica += 1
        replica = world.copyDatabase(lastReplica)
        let lag = choices.number(in: 100...10_000) * 1_000
        let end = lag + choices.number(in: 100...(choices.chance(1, in: 4) ? 30_000 : 6_000)) * 1_000
        // Each node finds out by itself that the database is back.
        returns = world.nodes.map { _ in world.now + end + choices.number(in: 1...2_000) * 1_000 }
        world.schedule(.failOver, after: lag, index: FailOver.death.index(lastReplica))
        world.schedule(.failOver, after: end, index: FailOver.takeover.index(lastReplica))
    }

    private enum FailOver: Int {
        case death, takeover

        /// On the agenda.
        func index(_ replica: Int) -> Int { replica << 1 | rawValue }
    }

    func failOver(_ index: Int) {
        guard let replica, replica.number == index >> 1 else { return }
        if FailOver(rawValue: index & 1) == .takeover { return takeOver() }
        isPrimaryDead = true
        recordFault(.failOver, for: (returns.max() ?? world.now) - world.now)
        for (node, time) in zip(world.nodes, returns) {
            node.cutOffUntil = max(node.cutOffUntil, time)
            node.process?.loseDatabase(leaving: .rolledBack)
            world.schedule(.heal, at: time, index: Heal.database.index(node))
        }
    }

    private func takeOver() {
        guard let replica else { return }
        world.failOver(to: replica)
        world.hinder()
        (self.replica, isPrimaryDead) = (nil, false)
    }

    /// A dead database is replaced; otherwise the replica is dropped.
    func endFailOver() { if isPrimaryDead { takeOver() } else { replica = nil } }
}
