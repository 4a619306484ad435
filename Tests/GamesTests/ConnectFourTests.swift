import Cryptography
import JSON
import Testing

@testable import Games

extension OpenTable<ConnectFour> {
    /// Drops a disc into each of these columns, which count from 1, as in written games.
    mutating func drop(_ columns: String) throws {
        for column in columns {
            try play("drop", ["column": .integer((column.wholeNumberValue ?? 0) - 1)], by: live.mover.rawValue)
        }
    }
}

@Suite("Connect four: the game") struct ConnectFourTests {
    /// After `plies` discs: see https://oeis.org/A212693.
    @Test(
        "positions that can come after n plies", arguments: zip(0...7, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859]))
    func positions(plies: Int, count: Int) {
        var boards: Set = [ConnectFour.Board()]
        for _ in 0..<plies {
            var next: Set<ConnectFour.Board> = []
            for board in boards where !board.isOver {
                for column in 0..<7 {
                    if let bit = board.landing(in: column) { next.insert(board.dropping(bit)) }
                }
            }
            boards = next
        }
        #expect(boards.count == count)
    }

    /// The cells of the line count from the top left.
    @Test(
        "four in a row win anywhere",
        arguments: [
            ("across, at the bottom", "1122334", [35, 36, 37, 38]),
            ("across, at the right", "4455667", [38, 39, 40, 41]),
            ("up, at the left", "1212121", [14, 21, 28, 35]),
            ("up, to the top", "55531251515", [4, 11, 18, 25]),
            ("rising", "2221446731443543", [17, 23, 29, 35]),
            ("falling", "5367432246543524", [17, 25, 33, 41]),
            ("five in a row", "572245613", [36, 37, 38, 39, 40]),
            ("two lines at once", "3367762435331527773275262654", [13, 19, 25, 30, 31, 32, 33]),
        ])
    func lines(what: String, moves: String, line: [Int]) throws {
        var table = try OpenTable<ConnectFour>()
        try table.drop(String(moves.dropLast()))
        #expect(table.live.outcome == nil && table.live.view["line"] == nil)
        let winner = table.live.mover
        try table.drop(String(moves.suffix(1)))
        #expect(table.live.view["line"]?.integers == line)
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .finished && table.live.awaited.isEmpty && table.live.deadline == nil)
        #expect(outcome.results.map(\.score) == (winner == Seat(0) ? [1, 0] : [0, 1]))
        #expect(table.live.notation == moves)
    }

    @Test("a full board without a line is a draw")
    func draw() throws {
        var table = try OpenTable<ConnectFour>()
        try table.drop("447664163735145652335241166533514221227777")
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .finished)
        #expect(outcome.results.map(\.score) == [0, 0])
        #expect(outcome.results.map { $0.figures["turns"]?.integer } == [21, 21])
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            RefusedCommand("another's turn", "drop", ["column": 0], by: 1, "not-your-turn"),
            RefusedCommand("a seat that does not play", "drop", ["column": 0], by: 2, "not-your-turn"),
            RefusedCommand("a column that is full", "drop", ["column": 3], by: 0, "column-is-full"),
            RefusedCommand("right of the board", "drop", ["column": 7], by: 0, "no-such-column"),
            RefusedCommand("left of the board", "drop", ["column": -1], by: 0, "no-such-column"),
            RefusedCommand("no column", "drop", [:], by: 0, "bad-field"),
        ])
    func refuses(_ refused: RefusedCommand) throws {
        var table = try OpenTable<ConnectFour>()
        try table.drop("444444")
        let before = table.live
        #expect {
            try table.play(refused.type, refused.fields, by: refused.seat)
        } throws: { ($0 as? Rejection)?.code == refused.code }
        #expect(table.live == before)
    }

    @Test("a player who runs out of time, resigns or leaves loses", arguments: ["time", "resigned", "left"])
    func early(reason: String) throws {
        var table = try OpenTable<ConnectFour>(["turnTime": 5], first: 1)
        try table.drop("4")
        switch reason {
        case "time": #expect(table.wait().map(\.type) == ["turn-expired"])
        case "resigned": try table.play("resign", by: 0)
        default: table.leave(0)
        }
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == (reason == "time" ? .time : .resigned))
        #expect(outcome.results.map(\.score) == [0, 1])
        #expect(outcome.results.map(\.isLeftEarly) == [reason == "left", false])
        #expect(table.live.view["out"]?.list?.first?.object?["reason"]?.string == reason)
        #expect(throws: Rejection.notRunning) { try table.drop("4") }
    }

    @Test("random games end, and their logs fold to the same state")
    func randomGames() throws {
        for number in 0..<LongTests.count(200, long: 100_000) {
            var table = try OpenTable<ConnectFour>()
            try table.playOut(seed: "four \(number)")
            let results = try #require(table.live.outcome).results
            #expect(table.live.view == table.shown.view, "game \(number)")
            let line = Self.line(in: try #require(table.live.view["cells"]?.list))
            #expect(table.live.view["line"]?.integers ?? [] == line, "game \(number)")
            #expect(results.contains { $0.score == 1 } == !line.isEmpty, "game \(number)")
        }
    }

    /// All cells in rows of four or more, found by looking at each four in turn.
    private static func line(in cells: [Value]) -> [Int] {
        var found: Set<Int> = []
        for row in 0..<6 {
            for column in 0..<7 where cells[row * 7 + column] != .null {
                for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let four = (0...3).compactMap { (step: Int) -> Int? in
                        let (column, row) = (column + right * step, row + down * step)
                        return (0..<7).contains(column) && row < 6 ? row * 7 + column : nil
                    }
                    if four.count == 4, Set(four.map { cells[$0].integer }).count == 1 { found.formUnion(four) }
                }
            }
        }
        return found.sorted()
    }
}
