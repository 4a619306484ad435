import Cryptography
import Foundation
import Testing

@testable import Games

/// A line of othello-endgames.txt: a position with the exact result of every move that was scored.
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
    @Test("all end positions are there")
    func positions() {
        #expect(Endgame.all.count == 22)
        #expect(Endgame.all.allSatisfy { $0.position.emptyCount == $0.empties && $0.scores.count >= 4 })
    }

    @Test(
        "the exact result of every move with up to 14 empty cells",
        arguments: Endgame.all.filter { $0.empties <= (LongTests.areOn ? 20 : 14) })
    func exact(_ endgame: Endgame) {
        var solver = EndgameSolver { false }
        for (cell, score) in endgame.scores {
            let flips = endgame.position.flips(at: cell)
            #expect(flips != 0)
            let found = -solver.score(endgame.position.placing(cell, flipping: flips))
            #expect(found == score, "\(Reversi.name(ofCell: cell))")
        }
    }

    @Test("level 5 plays a best move where it can see the end", arguments: Endgame.all.filter { $0.empties <= 14 })
    func best(_ endgame: Endgame) throws {
        var player = Reversi.Computer(level: "5", seat: Seat(0), seed: SHA256.digest(of: "five"))
        let cell = try #require(player.cell(for: endgame.position) { false })
        #expect(endgame.scores[cell] == endgame.scores.values.max())
    }

    @Test("thinking that is stopped gives no move")
    func stopped() throws {
        let endgame = try #require(Endgame.all.first { $0.empties == 20 })
        var solver = EndgameSolver { true }
        #expect(solver.bestMove(among: endgame.position.moves.cells, at: endgame.position) == nil)
        var search = MidgameSearch { true }
        #expect(search.bestMove(among: Reversi.Position.start.moves.cells, at: .start, depth: 9) == nil)
    }

    @Test("each level beats the one below it", arguments: zip(["2", "3", "4", "5"], ["1", "2", "3", "4"]))
    func strength(_ upper: String, _ lower: String) {
        // A win counts 2, a draw 1. In debug builds the deeper levels take too long for many games.
        let games = LongTests.count(["2": 60, "3": 20, "4": 4, "5": 0][upper] ?? 0, long: 100)
        var points = 0
        for number in 0..<games { points += 1 + playOut(number, upper, lower).signum() }
        #expect(Double(points) >= (LongTests.areOn ? 1.2 : 1.0) * Double(games), "\(points) of \(2 * games) points")
    }

    /// The difference of discs, for `upper`; openings of six random moves, each played with both colours.
    private func playOut(_ number: Int, _ upper: String, _ lower: String) -> Int {
        var words = RandomWords(seed: SHA256.digest(of: "opening \(number / 2)"))
        let seed = SHA256.digest(of: "players \(number)")
        var players = [upper, lower].map { Reversi.Computer(level: $0, seat: Seat(0), seed: seed) }
        var position = Reversi.Position.start
        var mover = number % 2
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
            }
            mover = 1 - mover
        }
        let difference = position.own.nonzeroBitCount - position.other.nonzeroBitCount
        return mover == 0 ? difference : -difference
    }
}
