import Cryptography
import Foundation
import Testing

@testable import Games

/// A line of othello-endgames.txt: a position with the exact result of every scored move.
struct Endgame: CustomTestStringConvertible, Sendable {
    let number: Int
    let empties: Int
    let position: Reversi.Position
    let scores: [Int: Int]

    var testDescription: String { "number \(number), \(empties) empty" }

    static let all: [Endgame] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/othello-endgames.txt"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { Endgame($0) }
    }()

    private init?(_ line: Substring) {
        let parts = line.split(separator: "|")
        guard parts.count == 3, let number = Int(parts[0]), let empties = Int(parts[1]) else { return nil }
        let fields = parts[2].split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
        let board = Array(fields[0].utf8.prefix(64))
        func discs(_ letter: Character) -> UInt64 {
            board.indices.reduce(0) { board[$1] == letter.asciiValue ? $0 | 1 << UInt64($1) : $0 }
        }
        let isBlack = fields[0].hasSuffix("X")
        self.number = number
        self.empties = empties
        position = Reversi.Position(own: discs(isBlack ? "X" : "O"), other: discs(isBlack ? "O" : "X"))
        var scores: [Int: Int] = [:]
        for field in fields.dropFirst() {
            let words = field.split(separator: ":")
            guard words.count == 2, let cell = Reversi.cell(named: words[0]), let score = Int(words[1]) else {
                continue
            }
            scores[cell] = score
        }
        self.scores = scores
    }
}

@Suite("Reversi: computer players") struct ReversiComputerTests {
    @Test("all end positions are in the file")
    func positions() {
        #expect(Endgame.all.count == 22)
        #expect(Endgame.all.allSatisfy { $0.position.emptyCount == $0.empties && $0.scores.count >= 4 })
    }

    @Test(
        "gets the exact result of every move with up to 14 empty cells",
        arguments: Endgame.all.filter { $0.empties <= (LongTests.areOn ? 20 : 14) })
    func exact(_ endgame: Endgame) {
        var solver = EndgameSolver(empties: endgame.empties) { false }
        for (cell, score) in endgame.scores {
            let flips = endgame.position.flips(at: cell)
            #expect(flips != 0)
            let found = -solver.score(endgame.position.placing(cell, flipping: flips))
            #expect(found == score, "\(Reversi.name(ofCell: cell))")
        }
    }

    @Test(
        "level 5 plays a best move if it can see the end",
        arguments: Endgame.all.filter { $0.empties <= (LongTests.areOn ? 18 : 14) })
    func best(_ endgame: Endgame) throws {
        var player = Reversi.Computer(level: "5", seat: Seat(0), seed: SHA256.digest(of: "five"))
        let cell = try #require(player.cell(for: endgame.position) { false })
        #expect(endgame.scores[cell] == endgame.scores.values.max())
    }

    /// A move is worth what its position is worth, so positions with 19 empty cells provide some with 18.
    @Test(
        "18 empty cells are solved within the budget", .enabled(if: LongTests.areOn),
        arguments: Endgame.all.filter { $0.empties == 19 })
    func eighteen(_ endgame: Endgame) throws {
        for (cell, score) in endgame.scores {
            let position = endgame.position.placing(cell, flipping: endgame.position.flips(at: cell))
            var solver = EndgameSolver(empties: 18, budget: Reversi.Computer.budget) { false }
            let moves = position.moves.cells
            guard !moves.isEmpty else { continue }
            let found = solver.bestMove(among: moves, at: position)
            let best = try #require(found)
            #expect(!solver.isGivenUp)
            let worth = solver.score(position.placing(best, flipping: position.flips(at: best)))
            #expect(worth == score)
        }
    }

    @Test(
        "a search out of budget plays the best move so far",
        arguments: Endgame.all.filter { $0.empties == 14 })
    func budget(_ endgame: Endgame) throws {
        // The worst move first: it is played if nothing has been compared.
        let moves = endgame.scores.keys.sorted { endgame.scores[$0] ?? 0 < endgame.scores[$1] ?? 0 }
        var played: [Int] = []
        for budget in [0, 1, 1_000, 10_000, 30_000, 100_000, .max] {
            var solver = EndgameSolver(empties: endgame.empties, budget: budget) { false }
            let cell = solver.bestMove(among: moves, at: endgame.position)
            played.append(try #require(cell.flatMap { endgame.scores[$0] }))
            // The same again, since only the budget ends the search.
            var again = EndgameSolver(empties: endgame.empties, budget: budget) { false }
            let same = again.bestMove(among: moves, at: endgame.position)
            #expect(same == cell)
            #expect(again.nodeCount == solver.nodeCount && again.isGivenUp == solver.isGivenUp)
            // It checks whether to continue before each position with 7 empty cells or more.
            let isSpent = solver.nodeCount >= budget && budget < .max
            #expect(solver.isGivenUp == isSpent && solver.nodeCount - 20_000 < budget)
        }
        #expect(played.first == endgame.scores.values.min() && played.last == endgame.scores.values.max())
        #expect(played == played.sorted())
    }

    @Test("stopped thinking gives no move")
    func stopped() throws {
        let endgame = try #require(Endgame.all.first { $0.empties == 20 })
        var solver = EndgameSolver(empties: endgame.empties) { true }
        #expect(solver.bestMove(among: endgame.position.moves.cells, at: endgame.position) == nil)
        var search = MidgameSearch { true }
        #expect(search.bestMove(among: Reversi.Position.start.moves.cells, at: .start, depth: 9) == nil)
        for level in ["2", "3", "4", "5"] {
            var player = Reversi.Computer(level: level, seat: Seat(0), seed: SHA256.digest(of: "stopped"))
            // A search of one ply is over before anyone could stop it.
            let cell = player.cell(for: endgame.position) { true }
            #expect(cell == nil || Reversi.Computer.strengths[level]?.depth ?? 0 < 6)
        }
    }

    @Test("the same seed gives the same game", arguments: Reversi.Computer.levels.prefix(4))
    func repeats(_ level: String) { #expect(playOut(3, level, "3").moves == playOut(3, level, "3").moves) }

    /// Openings of six random moves, each played with both colours. Seeds are fixed, so that every run is the same.
    struct Rung: CustomTestStringConvertible, Sendable {
        let upper: String
        let lower: String
        /// In debug builds the deeper levels take too long for more.
        let games: Int
        /// A few games say little about how often a level wins.
        let share: ClosedRange<Double>

        var testDescription: String { "\(upper) against \(lower)" }
    }

    private static let ladder = [("2", 200), ("3", 60), ("4", 8), ("5", 0)].map { upper, games in
        let lower = String((Int(upper) ?? 0) - 1)
        let share = LongTests.areOn || games > 50 ? 0.7...0.95 : 0.6...1
        return Rung(upper: upper, lower: lower, games: LongTests.count(games, long: 400), share: share)
    }

    @Test("each level beats the one below it in 70 to 95 of 100 games", arguments: ladder)
    func strength(_ rung: Rung) {
        guard rung.games > 0 else { return }
        // A win counts 2, a draw 1.
        var points = 0
        for number in 0..<rung.games { points += 1 + playOut(number, rung.upper, rung.lower).difference.signum() }
        let share = Double(points) / Double(2 * rung.games)
        #expect(rung.share.contains(share), "\(share) of \(rung.games) games")
    }

    /// The difference of discs, for `upper`, and the moves.
    private func playOut(_ number: Int, _ upper: String, _ lower: String) -> (difference: Int, moves: [Int]) {
        var words = RandomWords(seed: SHA256.digest(of: "opening \(number / 2)"))
        let seed = SHA256.digest(of: "players \(number)")
        var players = [upper, lower].map { Reversi.Computer(level: $0, seat: Seat(0), seed: seed) }
        var position = Reversi.Position.start
        var mover = number % 2
        var played: [Int] = []
        for ply in 0..<200 {
            if position.isOver { break }
            let moves = position.moves.cells
            if moves.isEmpty {
                position = position.passed
            } else {
                let cell =
                    ply < 6
                    ? moves[words.number(below: moves.count)] : players[mover].cell(for: position) { false } ?? moves[0]
                position = position.placing(cell, flipping: position.flips(at: cell))
                played.append(cell)
            }
            mover = 1 - mover
        }
        let difference = position.own.nonzeroBitCount - position.other.nonzeroBitCount
        return (mover == 0 ? difference : -difference, played)
    }
}
