import Testing

@testable import Games

/// Goofspiel of two for the tests: nothing is known here but the rules.
private struct PlainDuel: Hashable {
    var mine: Set<Int>
    var theirs: Set<Int>
    var prizes: Set<Int>
    var stake = 0
    var lead = 0

    init(cards: Int, prize: Int) {
        (mine, theirs, prizes) = (Set(1...cards), Set(1...cards), Set(1...cards))
        turnUp(prize)
    }

    mutating func turnUp(_ prize: Int) {
        prizes.remove(prize)
        stake += prize
    }

    func after(_ card: Int, _ other: Int) -> PlainDuel {
        var next = self
        next.mine.remove(card)
        next.theirs.remove(other)
        if card > other { (next.lead, next.stake) = (lead + stake, 0) }
        if card < other { (next.lead, next.stake) = (lead - stake, 0) }
        return next
    }

    /// The average of `value` over the next prize; who has won, after the last.
    func average(_ value: (PlainDuel) throws -> Double) rethrows -> Double {
        if prizes.isEmpty { return Double(lead.signum()) }
        let values = try prizes.map { prize in
            var next = self
            next.turnUp(prize)
            return try value(next)
        }
        return values.reduce(0, +) / Double(values.count)
    }

    var duel: Goofspiel.Duel {
        Goofspiel.Duel(
            mine: Goofspiel.Cards(mine.sorted()), theirs: Goofspiel.Cards(theirs.sorted()),
            prizes: Goofspiel.Cards(prizes.sorted()), stake: stake, lead: lead)
    }

    /// The value by regret matching, which needs no linear programme, between what the bids so found guarantee to
    /// either player.
    func bounds(rounds: Int, _ known: inout [PlainDuel: ClosedRange<Double>]) -> ClosedRange<Double> {
        if let range = known[self] { return range }
        let (rows, columns) = (mine.sorted(), theirs.sorted())
        var matrix: [[Double]] = []
        var slack = 0.0
        for row in rows {
            matrix.append(
                columns.map { column in
                    after(row, column).average { next in
                        let range = next.bounds(rounds: rounds, &known)
                        slack = max(slack, (range.upperBound - range.lowerBound) / 2)
                        return (range.lowerBound + range.upperBound) / 2
                    }
                })
        }
        let range = Self.bounds(matrix, rounds: rounds)
        known[self] = (range.lowerBound - slack)...(range.upperBound + slack)
        return known[self] ?? range
    }

    static func bounds(_ matrix: [[Double]], rounds: Int) -> ClosedRange<Double> {
        let (rows, columns) = (matrix.indices, matrix[0].indices)
        var regrets = (rows.map { _ in 0.0 }, columns.map { _ in 0.0 })
        var sums = regrets
        for round in 1...rounds {
            let (one, other) = (weights(regrets.0), weights(regrets.1))
            let gains = rows.map { row in columns.reduce(0) { $0 + matrix[row][$1] * other[$1] } }
            let losses = columns.map { column in rows.reduce(0) { $0 + matrix[$1][column] * one[$1] } }
            let value = zip(gains, one).reduce(0) { $0 + $1.0 * $1.1 }
            for row in rows {
                regrets.0[row] = max(0, regrets.0[row] + gains[row] - value)
                sums.0[row] += Double(round) * one[row]
            }
            for column in columns {
                regrets.1[column] = max(0, regrets.1[column] + value - losses[column])
                sums.1[column] += Double(round) * other[column]
            }
        }
        let (one, other) = (weights(sums.0), weights(sums.1))
        let least = columns.map { column in rows.reduce(0) { $0 + matrix[$1][column] * one[$1] } }.min() ?? 0
        let most = rows.map { row in columns.reduce(0) { $0 + matrix[row][$1] * other[$1] } }.max() ?? 0
        return min(least, most)...most
    }

    private static func weights(_ values: [Double]) -> [Double] {
        let sum = values.reduce(0, +)
        return values.map { sum > 0 ? $0 / sum : 1 / Double(values.count) }
    }

    /// The most that a player with `mine` can get who knows how the other one mixes the bids.
    func bestReply(
        _ known: inout [PlainDuel: Double], to strategy: (Goofspiel.Duel) throws -> [Double]
    ) throws -> Double {
        if let value = known[self] { return value }
        var other = self
        (other.mine, other.theirs, other.lead) = (theirs, mine, -lead)
        let weights = try strategy(other.duel)
        #expect(abs(weights.reduce(0, +) - 1) < 1e-9 && weights.allSatisfy { $0 >= 0 })
        var best = -1.0
        for card in mine {
            var total = 0.0
            for (their, weight) in zip(theirs.sorted(), weights) where weight > 0 {
                total += try weight * after(card, their).average { next in try next.bestReply(&known, to: strategy) }
            }
            best = max(best, total)
        }
        known[self] = best
        return best
    }
}

@Suite("Goofspiel: the end of a game of two") struct GoofspielBestPlayTests {
    /// Both have the same chances, so the value of the game is 0.
    @Test("a best reply to the strongest level gains nothing with four cards", arguments: 1...4)
    func unexploitable(prize: Int) throws {
        var known: [PlainDuel: Double] = [:]
        let value = try PlainDuel(cards: 4, prize: prize).bestReply(&known) { duel in
            try #require(Goofspiel.Computer.strategy(in: duel) { false })
        }
        #expect(abs(value) < 1e-9, "a best reply gains \(value)")
    }

    @Test("a best reply gains where there is something to gain", arguments: 1...4)
    func exploitable(prize: Int) throws {
        var known: [PlainDuel: Double] = [:]
        let value = try PlainDuel(cards: 4, prize: prize).bestReply(&known) { duel in
            Array(repeating: 1 / Double(duel.mine.count), count: duel.mine.count)
        }
        #expect(value > 0.3, "\(value)")
    }

    /// Positions with one or two cards, solved by hand: (mine, theirs, prizes left, stake, lead, value).
    @Test(
        "small positions have the values found by hand",
        arguments: [
            // The last cards: the better one wins the stake, and equal ones win nothing.
            ([2], [1], [], 3, -2, 1), ([2], [1], [], 3, -3, 0), ([2], [2], [], 3, -1, -1), ([1], [2], [], 3, 4, 1),
            // Equal chances.
            ([1, 2], [1, 2], [2], 1, 0, 0),
            // To bid 1 keeps 3 for the larger prize.
            ([1, 3], [1, 2], [2], 1, 0, 1),
            // The player who is ahead bids 2. Then no one wins anything, or the lead grows.
            ([1, 2], [1, 2], [1], 2, 1, 1), ([1, 2], [1, 2], [1], 2, -1, -1),
            // A bid of 1 ends with a lead of -1 against 2 and 0 against 3, a bid of 3 with 2 and -2. The best mix bids
            // 1 in two of three games.
            ([1, 3], [2, 3], [1], 2, 1, -1.0 / 3),
            // The same with 0 and 1, 3 and -1. Again it bids 1 in two of three.
            ([1, 3], [2, 3], [1], 2, 2, 1.0 / 3),
        ] as [([Int], [Int], [Int], Int, Int, Double)])
    func values(mine: [Int], theirs: [Int], prizes: [Int], stake: Int, lead: Int, value: Double) {
        let duel = Goofspiel.Duel(
            mine: Goofspiel.Cards(mine), theirs: Goofspiel.Cards(theirs), prizes: Goofspiel.Cards(prizes),
            stake: stake, lead: lead)
        var solver = Goofspiel.DuelSolver { false }
        #expect(abs(solver.value(of: duel) - value) < 1e-9)
    }

    @Test(
        "a matrix game is solved",
        arguments: [
            // Matching pennies, rock paper scissors with a double win, a saddle point, one row, one column.
            ([[1, -1], [-1, 1]], 0, [0.5, 0.5]), ([[3, -1], [-1, 1]], 0.3333333333, [0.3333333333, 0.6666666667]),
            ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, [0.25, 0.5, 0.25]), ([[4, 2], [3, 1]], 2, [1, 0]),
            ([[4, 2, 7]], 2, [1]), ([[4], [9]], 9, [0, 1]),
        ] as [([[Double]], Double, [Double])])
    func matrices(values: [[Double]], value: Double, rows: [Double]) {
        let solution = MatrixGame(rows: values.count, columns: values[0].count) { values[$0][$1] }.solved()
        #expect(abs(solution.value - value) < 1e-9)
        #expect(zip(solution.rows, rows).allSatisfy { abs($0 - $1) < 1e-9 }, "\(solution.rows)")
    }

    @Test("a random matrix game has the value that regret matching finds")
    func randomMatrices() {
        var dice = Dice(state: 7)
        for _ in 0..<60 {
            let (rows, columns) = (1 + dice.number(below: 13), 1 + dice.number(below: 13))
            let values = (0..<rows).map { _ in (0..<columns).map { _ in Double(dice.number(below: 7) - 3) } }
            let solution = MatrixGame(rows: rows, columns: columns) { values[$0][$1] }.solved()
            let range = PlainDuel.bounds(values, rounds: 1_000)
            #expect(((range.lowerBound - 1e-9)...(range.upperBound + 1e-9)).contains(solution.value))
            #expect(range.upperBound - range.lowerBound < 0.2)
            // What its bids guarantee.
            let gains = (0..<columns).map { column in
                (0..<rows).reduce(0) { $0 + solution.rows[$1] * values[$1][column] }
            }
            #expect(abs((gains.min() ?? 0) - solution.value) < 1e-9)
        }
    }

    /// All positions that can be reached with three cards, also one-sided ones.
    @Test("the search finds the values that regret matching finds", arguments: 1...3)
    func exact(prize: Int) {
        var known: [PlainDuel: ClosedRange<Double>] = [:]
        for lead in -2...2 {
            var duel = PlainDuel(cards: 3, prize: prize)
            duel.lead = lead
            _ = duel.bounds(rounds: 500, &known)
        }
        var solver = Goofspiel.DuelSolver { false }
        for (duel, range) in known {
            let value = solver.value(of: duel.duel)
            #expect(((range.lowerBound - 1e-9)...(range.upperBound + 1e-9)).contains(value), "\(duel)")
        }
        #expect(known.count > 100 && known.values.allSatisfy { $0.upperBound - $0.lowerBound < 0.1 })
    }

    @Test("with equal cards and scores neither player is ahead", arguments: 1...5)
    func symmetric(prize: Int) {
        var solver = Goofspiel.DuelSolver { false }
        let all = Goofspiel.Cards(upTo: 5)
        let duel = Goofspiel.Duel(mine: all, theirs: all, prizes: all.removing(prize), stake: prize, lead: 0)
        #expect(abs(solver.value(of: duel)) < 1e-9 && solver.count < 20_000)
    }
}
