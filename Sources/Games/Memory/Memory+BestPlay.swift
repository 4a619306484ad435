extension Memory {
    /// Best play against others if everyone remembers everything, after U. Zwick and M. S. Paterson, "The memory game"
    /// (1993): an exact table over n, the pairs left, and k, the pairs of which one card is known.
    ///
    /// A player who knows a pair takes it. Otherwise the first card is an unknown one. If its mate is known, the player
    /// takes the pair. If not, the second card is either a known one, which tells the others nothing (their 1-move), or
    /// another unknown one (their 2-move). That may be the mate, or the mate of a known card, which the next player
    /// then takes. Two known cards that differ (their 0-move) are never turned up, since a game in which both players
    /// wait would not end.
    ///
    /// Every player is assumed to maximise their own points. For two players and cards scored without a clock that is
    /// best play. It is an approximation for more players, who might ally against one; by the rules `medium` and
    /// `hard`, where it assumes the full bonus and ignores that no score falls below 0; and where a match does not keep
    /// the turn, since it may then be better not to take a pair at once.
    struct BestPlay: Sendable {
        let players: Int
        /// Each player's average score if nothing is known yet, starting with the player to move, in the order of
        /// turns.
        let expectedScores: [Double]
        /// For each number of pairs left, the numbers of known cards, as bits, at which a known second card is better.
        private var knownCardIsBetter: [UInt64] = [0]

        init(pairs: Int, players: Int, rule: Rule, turnRule: TurnRule) {
            let worth = Worth(rule, turnRule)
            let nothing = [Double](repeating: 0, count: players)
            // By k: the scores to come with one pair fewer, and with the current number.
            var (fewer, scores) = ([nothing], [nothing])
            for left in 0..<pairs {
                let n = left + 1
                scores = Array(repeating: nothing, count: n + 1)
                knownCardIsBetter.append(0)
                for k in stride(from: n, through: 0, by: -1) {
                    let (known, unknown, mateless) = (Double(k), Double(2 * n - k), Double(2 * (n - k)))
                    var first = Mean(players)
                    if k > 0 { first.add(worth.match(fewer[k - 1]), weight: known / unknown) }
                    if n > k {
                        // The first card is new. One unknown card is its mate, and k are mates of known ones.
                        let match = worth.match(fewer[k])
                        var other = Mean(players)
                        other.add(match, weight: 1 / (unknown - 1))
                        other.add(worth.mismatch(match, seenCards: 0), weight: known / (unknown - 1))
                        if n > k + 1 {
                            other.add(
                                worth.mismatch(scores[k + 2], seenCards: 0), weight: (mateless - 2) / (unknown - 1))
                        }
                        var second = other.scores
                        let again = k > 0 ? worth.mismatch(scores[k + 1], seenCards: 1) : second
                        if again[0] > second[0] {
                            second = again
                            knownCardIsBetter[n] |= 1 << UInt64(k)
                        }
                        first.add(second, weight: mateless / unknown)
                    }
                    scores[k] = first.scores
                }
                fewer = scores
            }
            self.players = players
            expectedScores = scores[0]
        }

        /// Whether the second card should be a known one if the first is new and its mate is unknown.
        func prefersKnownCard(pairsLeft: Int, knownCards: Int) -> Bool {
            knownCardIsBetter.indices.contains(pairsLeft) && knownCards < UInt64.bitWidth
                && knownCardIsBetter[pairsLeft] >> UInt64(knownCards) & 1 == 1
        }
    }
}

/// What an attempt scores, and who is next. Scores are those still to come, starting with the player to move.
private struct Worth {
    let rule: Memory.Rule
    let turnRule: Memory.TurnRule
    /// More than any rule takes away.
    private static let plenty = 1_000

    init(_ rule: Memory.Rule, _ turnRule: Memory.TurnRule) { (self.rule, self.turnRule) = (rule, turnRule) }

    func match(_ scores: [Double]) -> [Double] {
        var scores = turnRule == .again ? scores : passed(scores)
        scores[0] += Double(rule.match(bonus: rule.hasBonus ? Memory.mostBonus : 0))
        return scores
    }

    func mismatch(_ scores: [Double], seenCards: Int) -> [Double] {
        var scores = passed(scores)
        scores[0] += Double(rule.score(Self.plenty, afterMismatchWith: seenCards) - Self.plenty)
        return scores
    }

    /// The next player is the second in this order.
    private func passed(_ scores: [Double]) -> [Double] {
        var passed = scores
        passed.insert(passed.removeLast(), at: 0)
        return passed
    }
}

private struct Mean {
    private(set) var scores: [Double]

    init(_ players: Int) { scores = Array(repeating: 0, count: players) }

    mutating func add(_ added: [Double], weight: Double) {
        for index in scores.indices { scores[index] += weight * added[index] }
    }
}
