extension Goofspiel {
    /// Plays out the end of a game of two.
    struct DuelSolver {
        /// The values found so far. Their number is limited by that of the cards.
        private var known: [Duel: Double] = [:]
        private let isStopped: () -> Bool
        private(set) var hasStopped = false

        /// How many positions it has looked at.
        var count: Int { known.count }

        init(isStopped: @escaping () -> Bool) { self.isStopped = isStopped }

        /// How likely to bid each card of my hand, ascending, so that the other's best bids gain the least.
        mutating func strategy(in duel: Duel) -> [Double] { duel.matrix { value(after: $0) }.solved().rows }

        /// My chance to win less that to lose, if both bid their best.
        mutating func value(of duel: Duel) -> Double {
            if let value = known[duel] { return value }
            // Asked now and then, since it may read a clock.
            if known.count & 0x3F == 0, isStopped() { hasStopped = true }
            if hasStopped { return 0 }
            let value = duel.matrix { self.value(after: $0) }.solved().value
            known[duel] = value
            return value
        }

        /// Any of the prizes left may come next.
        private mutating func value(after bids: Duel) -> Double {
            if let value = bids.decided { return value }
            let prizes = bids.prizes.values
            return prizes.reduce(0.0) { $0 + self.value(of: bids.turnUp($1)) } / Double(prizes.count)
        }
    }
}
