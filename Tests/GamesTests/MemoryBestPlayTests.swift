import Cryptography
import JSON
import Testing

@testable import Games

/// The value of best play, without turning two known cards up, in fractions. Another program calculated it with exact
/// arithmetic, from the recursion of U. Zwick and M. S. Paterson, "The memory game".
struct BestPlayTruth: CustomTestStringConvertible, Sendable {
    let pairs: Int
    /// Pairs of the first player, less those of the other.
    let margin: Double
    /// With 0, 1, 2 ... known cards: whether the second card is another unknown one (2) or a known one (1).
    let moves: String

    var testDescription: String { "\(pairs) pairs" }

    init(_ pairs: Int, _ margin: Double, _ moves: String) {
        (self.pairs, self.margin, self.moves) = (pairs, margin, moves)
    }

    static let all = [
        BestPlayTruth(1, 1, "22"),
        BestPlayTruth(2, -2 / 3, "222"),
        BestPlayTruth(3, -1 / 5, "2122"),
        BestPlayTruth(4, -4 / 35, "22122"),
        BestPlayTruth(5, -7 / 45, "212122"),
        BestPlayTruth(6, 646 / 3_465, "2112122"),
        BestPlayTruth(7, -397 / 3_465, "22112122"),
        BestPlayTruth(8, 4_652 / 96_525, "212112122"),
        BestPlayTruth(9, 37_027 / 11_486_475, "2111112122"),
        BestPlayTruth(10, -7_153_858 / 218_243_025, "22121212122"),
        BestPlayTruth(11, 352_169 / 83_329_155, "212121212122"),
        BestPlayTruth(12, -74_465_648 / 15_058_768_725, "2212111212122"),
    ]
}

@Suite("Memory: best play against others") struct MemoryBestPlayTests {
    @Test("the table is the one that others calculated", arguments: BestPlayTruth.all)
    func table(_ truth: BestPlayTruth) {
        let play = Memory.BestPlay(pairs: truth.pairs, players: 2, rule: .pairs, turnRule: .again)
        #expect(abs(play.expectedScores[0] - play.expectedScores[1] - truth.margin) < 1e-12)
        #expect(abs(play.expectedScores.reduce(0, +) - Double(truth.pairs)) < 1e-12)
        let moves = (0...truth.pairs).map {
            play.prefersKnownCard(pairsLeft: truth.pairs, knownCards: $0) ? "1" : "2"
        }
        #expect(moves.joined() == truth.moves)
    }

    @Test(
        "outside the table it has no preference", arguments: [(8, 8), (8, 63), (8, 64), (8, 1_000), (9, 2), (1_000, 2)])
    func bounds(pairsLeft: Int, knownCards: Int) {
        let play = Memory.BestPlay(pairs: 8, players: 2, rule: .pairs, turnRule: .again)
        #expect(!play.prefersKnownCard(pairsLeft: pairsLeft, knownCards: knownCards))
    }

    @Test("every board and number of players has its table", arguments: 2...8)
    func sizes(players: Int) {
        for rule in Memory.Rule.allCases {
            let play = Memory.BestPlay(pairs: 48, players: players, rule: rule, turnRule: .alternate)
            #expect(play.expectedScores.count == players && play.expectedScores.allSatisfy(\.isFinite))
        }
    }

    @Test(
        "perfect takes a known pair, or shows a new card and then the one in the table",
        arguments: BestPlayTruth.all.filter { $0.pairs >= 3 })
    func attempts(_ truth: BestPlayTruth) throws {
        let setup = try ComputerTable.setup(["pairs": .integer(truth.pairs)], players: 2)
        let moves = Dictionary(uniqueKeysWithValues: BestPlayTruth.all.map { ($0.pairs, Array($0.moves)) })
        for number in 0..<20 {
            var table = ComputerTable(setup: setup, levels: ["perfect", "perfect"], number: number)
            _ = try table.play()
            let shown = table.events.compactMap { event in
                if case .showCard(let cell, let face, _, _) = event { (cell: cell, face: face) } else { nil }
            }
            // The known cells of each face.
            var known: [UInt8: Set<Int>] = [:]
            var pairsLeft = setup.board.pairs
            for index in stride(from: 0, to: shown.count - 1, by: 2) {
                let (first, second) = (shown[index], shown[index + 1])
                let mates = known[first.face] ?? []
                let isSecondKnown = known[second.face]?.contains(second.cell) ?? false
                #expect(mates.contains(first.cell) == known.values.contains { $0.count == 2 })
                if !mates.isEmpty {
                    #expect(second.face == first.face)
                } else {
                    let isKnownBetter = moves[pairsLeft]?[known.count] == "1"
                    #expect(isSecondKnown == isKnownBetter, "\(pairsLeft) pairs left, \(known.count) cards known")
                }
                for card in [first, second] { known[card.face, default: []].insert(card.cell) }
                if first.face == second.face {
                    known[first.face] = nil
                    pairsLeft -= 1
                }
            }
        }
    }

    struct Match: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let options: Fields
        let players: Int
        /// Points of the first player, less those of the next.
        let margin: Double

        init(_ options: Fields, players: Int = 2, margin: Double) {
            testDescription = "\(players), \(zip(options.names, options.values).map { "\($0) \($1)" })"
            (self.options, self.players, self.margin) = (options, players, margin)
        }
    }

    private static let matches =
        BestPlayTruth.all.filter { (5...12).contains($0.pairs) }.map {
            Match(["pairs": .integer($0.pairs)], margin: $0.margin)
        } + [
            // Where the table is an approximation, or has other rules: the mean of such games.
            Match(["pairs": 8, "rule": "easy"], margin: 10 * 4_652 / 96_525),
            Match(["pairs": 8, "rule": "memorize"], margin: 7.136_152_736_153 - 8.147_319_347_319),
            Match(["pairs": 8, "turnRule": "alternate"], margin: 4.025_223_171_890 - 3.974_776_828_110),
            Match(["pairs": 8], players: 3, margin: 2.074_349_354_349 - 1.930_413_290_413),
        ]

    @Test("against itself, perfect scores as in the table, and no game stalls", arguments: matches)
    func againstItself(_ match: Match) throws {
        let setup = try ComputerTable.setup(match.options, players: match.players)
        try #require(setup.board.pairs == match.options["pairs"]?.integer)
        let levels = Array(repeating: "perfect", count: match.players)
        let games = LongTests.count(200, long: 20_000)
        var (sum, squares) = (0.0, 0.0)
        for number in 0..<games {
            var table = ComputerTable(setup: setup, levels: levels, number: number)
            let scores = try table.play()
            try #require(table.game.outcome?.reason == .finished, "game \(number)")
            let first = number % match.players
            let margin = Double(scores[first] - scores[(first + 1) % match.players])
            sum += margin
            squares += margin * margin
        }
        let mean = sum / Double(games)
        let error = ((squares / Double(games) - mean * mean) / Double(games)).squareRoot()
        #expect(abs(mean - match.margin) < 3 * error, "\(mean) +- \(error), not \(match.margin)")
    }
}
