import Testing

@testable import Games

@Suite("Memory: boards") struct MemoryBoardTests {
    static let sizes = Memory.Board.columnRange.flatMap { columns in
        Memory.Board.rowRange.map { (columns, $0) }
    }

    @Test("every size has its pairs, and a gap in the middle if odd", arguments: sizes)
    func everySize(columns: Int, rows: Int) throws {
        let board = try #require(Memory.Board(columns: columns, rows: rows))
        let cells = columns * rows
        #expect(board.pairs == cells / 2 && board.pairs <= 48)
        #expect(board.gap == (cells % 2 == 0 ? nil : cells / 2))
        if let gap = board.gap { #expect(gap / columns == rows / 2 && gap % columns == columns / 2) }
    }

    @Test(
        "sizes out of range have no board",
        arguments: [(1, 4), (9, 4), (4, 2), (4, 13), (-4, -4), (0, 0), (.max, .max)])
    func outOfRange(columns: Int, rows: Int) {
        #expect(Memory.Board(columns: columns, rows: rows) == nil)
    }

    /// The rule (no gap, nearly square, columns <= rows, the next lower count), computed independently of this code.
    @Test(
        "a number of pairs makes a board",
        arguments: zip(
            3...48,
            [
                (2, 3), (2, 4), (2, 5), (3, 4), (2, 7), (4, 4), (3, 6), (4, 5), (2, 11), (4, 6), (3, 9), (4, 7),
                (5, 6), (4, 8), (5, 7), (6, 6), (6, 6), (5, 8), (6, 7), (4, 11), (4, 11), (6, 8), (5, 10), (5, 10),
                (6, 9), (7, 8), (7, 8), (6, 10), (7, 9), (8, 8), (6, 11), (6, 11), (7, 10), (8, 9), (8, 9), (7, 11),
                (7, 11), (8, 10), (8, 10), (7, 12), (7, 12), (8, 11), (8, 11), (8, 11), (8, 11), (8, 12),
            ]))
    func boardOfPairs(pairs: Int, sides: (columns: Int, rows: Int)) {
        #expect(Memory.Board(pairs: pairs) == Memory.Board(columns: sides.columns, rows: sides.rows))
    }

    @Test(
        "counts without a board give the next lower one", arguments: [19, 23, 26, 29, 34, 37, 39, 41, 43, 45, 46, 47])
    func countsWithoutABoard(pairs: Int) {
        #expect(Memory.Board(pairs: pairs).pairs < pairs)
        #expect(Memory.Board(pairs: pairs) == Memory.Board(pairs: pairs - 1))
    }

    @Test("counts out of range give the nearest board", arguments: zip([-1, 0, 2, 49, .max], [3, 3, 3, 48, 48]))
    func countsOutOfRange(pairs: Int, nearest: Int) {
        #expect(Memory.Board(pairs: pairs).pairs == nearest)
    }
}
