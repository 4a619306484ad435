import Testing

@testable import Games

@Suite("Memory: what the turns of one player alone are worth") struct MemoryRatingTests {
    @Test(
        "ratings by turns and cells, at their edges",
        arguments: [
            (12, 16, .excellent), (13, 16, .great), (16, 16, .great), (17, 16, .good), (23, 16, .good),
            (24, 16, .done), (200, 16, .done),
            // Nine cells, of which one is a gap: 6.75, 9 and 13.5.
            (6, 9, .excellent), (7, 9, .great), (9, 9, .great), (10, 9, .good), (13, 9, .good), (14, 9, .done),
            // Ten cells: 7.5, 10 and 15.
            (7, 10, .excellent), (8, 10, .great), (11, 10, .good), (14, 10, .good), (15, 10, .done),
        ] as [(Int, Int, Memory.Rating)])
    func ratings(turns: Int, cells: Int, rating: Memory.Rating) {
        #expect(Memory.rating(turns: turns, cells: cells) == rating)
    }

    @Test(
        "what a perfect memory needs, as published",
        arguments: zip([4, 5, 7, 8, 10], [5.9238, 7.5524, 10.7792, 12.3930, 15.6217]))
    func published(pairs: Int, turns: Double) throws {
        let expected = try #require(Memory.expectedTurns(pairs: pairs))
        #expect(abs(expected - turns) < 0.00005)
    }

    @Test("and by the recursion, for every number of pairs that a board can have", arguments: Memory.Board.pairRange)
    func recursion(pairs: Int) throws {
        let expected = try #require(Memory.expectedTurns(pairs: pairs))
        #expect(abs(expected - PerfectMemory(pairs: pairs).turns) < 1e-11)
        // Velleman & Warrington: (3 - 2 ln 2) n + 7/8 - 2 ln 2, and what vanishes with n.
        #expect(abs(expected - (1.613706 * Double(pairs) - 0.511294)) < 0.05)
    }

    @Test("no board, no number", arguments: [Int.min, 0, 2, 49, .max])
    func outOfRange(pairs: Int) { #expect(Memory.expectedTurns(pairs: pairs) == nil) }
}

/// The mean number of turns of somebody alone who forgets nothing, worked out apart from the games: by the recursion in
/// Velleman & Warrington, "What to expect in a game of memory".
private struct PerfectMemory {
    /// By cards seen whose mates are not, and by pairs of which neither card is; from fewer unseen cards to more.
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
        // The first card is the mate of one seen: a pair in one turn.
        if singles > 0 { mean += single / unseen * (1 + means[singles - 1][pairs]) }
        guard pairs > 0 else { return mean }
        let isNew = 2 * Double(pairs) / unseen
        let left = unseen - 1
        // Then the second is its mate; or that of one seen, which the next turn takes; or new as well.
        var second = 1 / left * (1 + means[singles][pairs - 1])
        if singles > 0 { second += single / left * (2 + means[singles][pairs - 1]) }
        if pairs > 1 { second += 2 * Double(pairs - 1) / left * (1 + means[singles + 2][pairs - 2]) }
        mean += isNew * second
        return mean
    }
}
