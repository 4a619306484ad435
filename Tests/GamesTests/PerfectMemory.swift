import Testing

@testable import Games

@Suite("Memory: turns of a perfect memory") struct PerfectMemoryTests {
    @Test("as many turns as published", arguments: zip([4, 5, 7, 8, 10], [5.9238, 7.5524, 10.7792, 12.3930, 15.6217]))
    func published(pairs: Int, turns: Double) { #expect(abs(PerfectMemory(pairs: pairs).turns - turns) < 0.00005) }

    @Test("as many turns as on the page, for every number of pairs", arguments: Memory.Board.pairRange)
    func formula(pairs: Int) {
        // Velleman & Warrington: (3 - 2 ln 2) n + 7/8 - 2 ln 2, and terms that vanish with n.
        #expect(abs(PerfectMemory(pairs: pairs).turns - (1.613706 * Double(pairs) - 0.511294)) < 0.05)
    }
}

/// The mean number of turns of a single player who forgets nothing, computed independently of the games, by the
/// recursion in Velleman & Warrington, "What to expect in a game of memory".
struct PerfectMemory {
    /// By the number of seen cards whose mates are unseen, and of pairs without a seen card; from fewer unseen cards to
    /// more.
    private var means: [[Double]]

    init(pairs most: Int) {
        means = Array(repeating: Array(repeating: 0, count: most + 1), count: 2 * most + 1)
        for unseen in 1...(2 * most) {
            for pairs in 0...min(most, unseen / 2) {
                means[unseen - 2 * pairs][pairs] = mean(singles: unseen - 2 * pairs, pairs: pairs)
            }
        }
    }

    var turns: Double { means[0].last ?? 0 }

    private func mean(singles: Int, pairs: Int) -> Double {
        let unseen = Double(singles + 2 * pairs)
        let single = Double(singles)
        var mean = 0.0
        // The first card is the mate of a seen one: a pair in one turn.
        if singles > 0 { mean += single / unseen * (1 + means[singles - 1][pairs]) }
        guard pairs > 0 else { return mean }
        let isNew = 2 * Double(pairs) / unseen
        let left = unseen - 1
        // Otherwise the second is its mate; or the mate of a seen one, which the next turn takes; or new as well.
        var second = 1 / left * (1 + means[singles][pairs - 1])
        if singles > 0 { second += single / left * (2 + means[singles][pairs - 1]) }
        if pairs > 1 { second += 2 * Double(pairs - 1) / left * (1 + means[singles + 2][pairs - 2]) }
        mean += isNew * second
        return mean
    }
}
