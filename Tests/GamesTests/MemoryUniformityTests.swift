import Cryptography
import Foundation
import Testing

@testable import Games

/// Chi-square tests with fixed seeds, so they always give the same result. A fair shuffle exceeds the bounds in one
/// case of a million, on either side.
@Suite("Memory: all decks are equally likely") struct MemoryUniformityTests {
    private static let deals = LongTests.count(4_000, long: 100_000)
    private static let deviations = 4.9

    @Test("every face is on every cell equally often")
    func facesAndCells() throws {
        let setup = try setup("animals", columns: 4, rows: 4)
        let faces = setup.faces.count
        var counts = Array(repeating: Array(repeating: 0, count: faces), count: 16)
        for number in 0..<Self.deals {
            let deck = Memory.Deck.dealt(setup, from: SHA256.digest(of: "uniform \(number)")).deck
            for (cell, face) in deck.enumerated() { counts[cell][Int(face)] += 1 }
        }
        for (cell, count) in counts.enumerated() { expectUniform(count, "the faces on cell \(cell)") }
        // A dealt face is on two cells at once, so the cells of one face vary a little less than by chance.
        for face in 0..<faces { expectUniform(counts.map { $0[face] }, "the cells of face \(face)") }
    }

    @Test("on a board with a gap, a card's mate can be anywhere")
    func mates() throws {
        let setup = try setup("numbers", columns: 3, rows: 3)
        var counts = Array(repeating: 0, count: 9)
        for number in 0..<Self.deals {
            let deck = Memory.Deck.dealt(setup, from: SHA256.digest(of: "mates \(number)")).deck
            let mate = try #require(deck.indices.first { $0 > 0 && deck[$0] == deck[0] })
            counts[mate] += 1
        }
        #expect(counts[0] == 0 && counts[4] == 0)
        expectUniform(counts.enumerated().filter { $0.offset != 0 && $0.offset != 4 }.map(\.element), "mates of cell 0")
    }

    @Test("a reshuffle moves any card to any cell, except to those of won cards")
    func reshuffles() throws {
        let setup = try setup("numbers", columns: 3, rows: 4)
        var counts = Array(repeating: Array(repeating: 0, count: 12), count: 12)
        for number in 0..<Self.deals {
            var game = Memory(
                setup: setup, players: [Seat(0)], first: Seat(0), seed: SHA256.digest(of: "again \(number)"), at: 0)
            // The first and the last cell are won, with any cards. The words do not depend on that.
            for cell in [0, 11] { game.cards[cell].side = .won }
            var words = try #require(game.words)
            var targets = Array(0..<12)
            for move in game.moves(drawing: &words) { targets[move.from] = move.to }
            for (cell, target) in targets.enumerated() { counts[cell][target] += 1 }
        }
        #expect(counts[0][0] == Self.deals && counts[11][11] == Self.deals)
        for cell in 1...10 {
            #expect(counts[cell][0] == 0 && counts[cell][11] == 0)
            expectUniform(Array(counts[cell][1...10]), "where the card of cell \(cell) goes")
        }
    }

    @Test("a drawn number of pairs can be any in its range")
    func drawn() throws {
        var counts = Array(repeating: 0, count: 5)
        for number in 0..<Self.deals {
            var words = RandomWords(seed: SHA256.digest(of: "drawn \(number)"))
            counts[Memory.Deck.pairCount(6...10, &words) - 6] += 1
        }
        expectUniform(counts, "numbers from 6 to 10")
    }

    /// By Wilson and Hilferty the cube root of chi-square over its degrees of freedom is almost normal.
    private func expectUniform(_ counts: [Int], _ what: String) {
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        let statistic = counts.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
        let freedom = Double(counts.count - 1)
        let variance = 2 / (9 * freedom)
        let deviations = (cbrt(statistic / freedom) - (1 - variance)) / variance.squareRoot()
        #expect(abs(deviations) < Self.deviations, "\(what): \(counts), \(deviations) deviations off")
    }

    private func setup(_ theme: String, columns: Int, rows: Int) throws -> Memory.Setup {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        return try Memory.setup(
            ["theme": .string(theme), "columns": .integer(columns), "rows": .integer(rows)], players: 1, draw: &draw)
    }
}
