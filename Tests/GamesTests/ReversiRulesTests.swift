import Cryptography
import Testing

@testable import Games

@Suite("Reversi: positions") struct ReversiPositionTests {
    @Test(
        "leaves after n plies",
        arguments: zip(1...8, [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]))
    func perft(plies: Int, leaves: Int) { #expect(Reversi.Position.start.leaves(after: plies) == leaves) }

    // Up to 8 plies no one ever has to pass, and no game ends.
    @Test("leaves after 9 and 10 plies", .enabled(if: LongTests.areOn), arguments: [(9, 3_005_288), (10, 24_571_284)])
    func deepPerft(plies: Int, leaves: Int) { #expect(Reversi.Position.start.leaves(after: plies) == leaves) }

    @Test("a pass is a ply, and a game that is over is one leaf")
    func passes() {
        // a1 own, b1 other, the rest of the row own: only the player not to move could continue, by c2.
        let over = Reversi.Position(own: 1, other: 0)
        #expect(over.isOver && over.leaves(after: 3) == 1)
        // Own h1; other a1..b1? The player to move has nothing to enclose; the other encloses b1 from c1.
        let passing = Reversi.Position(own: 0b010, other: 0b001)
        #expect(passing.moves == 0 && passing.passed.moves == 0b100)
        #expect(passing.leaves(after: 1) == 1)
        #expect(passing.leaves(after: 2) == 1)
        #expect(passing.leaves(after: 9) == 1)
    }

    @Test("moves and flips agree with a count along each line", arguments: 1...50 as ClosedRange<UInt64>)
    func againstLines(seed: UInt64) {
        var words = RandomWords(seed: SHA256.digest(of: "lines \(seed)"))
        var position = Reversi.Position.start
        while !position.isOver {
            for cell in position.empty.cells {
                let expected = flipsAlongLines(position, cell)
                #expect(position.flips(at: cell) == expected)
                #expect((position.moves >> UInt64(cell) & 1 == 1) == (expected != 0))
            }
            let moves = position.moves.cells
            guard !moves.isEmpty else {
                position = position.passed
                continue
            }
            let cell = moves[words.number(below: moves.count)]
            position = position.placing(cell, flipping: position.flips(at: cell))
        }
    }

    private func flipsAlongLines(_ position: Reversi.Position, _ cell: Int) -> UInt64 {
        var flips: UInt64 = 0
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            var (column, row, run) = (cell % 8 + right, cell / 8 + down, UInt64(0))
            while (0..<8).contains(column), (0..<8).contains(row) {
                let bit = UInt64(1) << UInt64(8 * row + column)
                if position.own & bit != 0 { flips |= run }
                if position.other & bit == 0 { break }
                run |= bit
                (column, row) = (column + right, row + down)
            }
        }
        return flips
    }
}

@Suite("Reversi: notation") struct ReversiNotationTests {
    @Test(
        "a record leads to its position",
        arguments: [
            ("", 4, true), ("f5", 5, false), ("F5d6c3", 7, false), ("f5d6c3d3c4f4f6", 11, false),
        ])
    func reads(_ record: String, _ discs: Int, _ isBlack: Bool) throws {
        let (position, black) = try #require(Reversi.position(after: record))
        #expect((position.own | position.other).nonzeroBitCount == discs)
        #expect(black == isBlack)
    }

    @Test("cells are named by column and row")
    func names() {
        #expect(Reversi.name(ofCell: 0) == "a1" && Reversi.name(ofCell: 63) == "h8" && Reversi.name(ofCell: 37) == "f5")
        for cell in 0..<64 { #expect(Reversi.cell(named: Substring(Reversi.name(ofCell: cell))) == cell) }
    }
}

extension Reversi {
    /// The number of the cell with this name, in small or capital letters; nil if there is none.
    static func cell(named name: Substring) -> Int? { (0..<64).first { Self.name(ofCell: $0) == name.lowercased() } }

    /// Plays a record: the position at its end, as the player to move sees it, and whether that is black. Nil if a move
    /// is not legal.
    static func position(after notation: String) -> (position: Position, isBlack: Bool)? {
        var (position, isBlack, rest) = (Position.start, true, Substring(notation))
        func pass() { if position.moves == 0, !position.isOver { (position, isBlack) = (position.passed, !isBlack) } }
        while !rest.isEmpty {
            pass()
            guard let cell = cell(named: rest.prefix(2)), position.moves & 1 << UInt64(cell) != 0 else { return nil }
            position = position.placing(cell, flipping: position.flips(at: cell))
            isBlack.toggle()
            rest = rest.dropFirst(2)
        }
        pass()
        return (position, isBlack)
    }
}
