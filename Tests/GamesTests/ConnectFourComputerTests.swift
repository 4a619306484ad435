import Cryptography
import Testing

@testable import Games

@Suite("Connect four: computer players") struct ConnectFourComputerTests {
    private typealias Board = ConnectFour.Board

    private static func board(after moves: String) -> Board {
        moves.reduce(Board()) { board, column in
            board.landing(in: (column.wholeNumberValue ?? 0) - 1).map { board.dropping($0) } ?? board
        }
    }

    @Test(
        "a level plays what it sees",
        arguments: [
            ("a line of its own", "1", "445566", [3, 7]), ("a line of its own, upwards", "1", "41414", [1, 4]),
            ("a line that the other would make", "1", "414141", [4]),
            ("what leaves the other no way out", "3", "4151", [3, 6]),
        ])
    func sees(what: String, level: String, moves: String, best: [Int]) throws {
        for seed in 0..<10 {
            var player = ConnectFour.Computer(level: level, seat: Seat(0), seed: SHA256.digest(of: "sees \(seed)"))
            let column = try #require(player.column(for: Self.board(after: moves)) { false })
            #expect(best.contains(column + 1), "column \(column + 1)")
        }
    }

    /// Compares the search with one that visits everything, without evaluation or move order.
    @Test("the search finds the value of each end of a game", arguments: 0..<20)
    func exact(number: Int) throws {
        var words = RandomWords(seed: SHA256.digest(of: "end \(number)"))
        var board = Board()
        while Board.cellCount - board.taken.nonzeroBitCount > 9 {
            let open = (0..<7).compactMap { board.landing(in: $0) }.map { board.dropping($0) }.filter { !$0.isOver }
            if open.isEmpty { return }
            board = open[words.number(below: open.count)]
        }
        var search = ThreatSearch { false }
        let found = search.worth(of: board, -ThreatSearch.line, ThreatSearch.line, depth: 42)
        #expect(found == Self.worth(of: board))
    }

    private static func worth(of board: Board) -> Int {
        if Board.hasLine(board.other) { return board.taken.nonzeroBitCount - ThreatSearch.line }
        if board.isFull { return 0 }
        return (0..<7).compactMap { board.landing(in: $0) }.map { -worth(of: board.dropping($0)) }.max() ?? 0
    }

    @Test("stopped thinking gives no move")
    func stopped() {
        var search = ThreatSearch { true }
        #expect(search.bestMove(among: Array(0..<7), on: Board(), depth: 9) == nil)
    }

    @Test("the same seed gives the same game", arguments: ConnectFour.Computer.levels)
    func repeats(level: String) {
        #expect(Self.playOut(3, level, "1").moves == Self.playOut(3, level, "1").moves)
    }

    @Test("each level beats the one below it in 70 to 95 of 100 games", arguments: [("2", 200), ("3", 20)])
    func strength(upper: String, games: Int) {
        let games = LongTests.count(games, long: 1_000)
        let lower = String((Int(upper) ?? 0) - 1)
        // A win counts 2, a draw 1.
        let points = (0..<games).reduce(0) { $0 + Self.playOut($1, upper, lower).points }
        let share = Double(points) / Double(2 * games)
        #expect((LongTests.areOn || games > 50 ? 0.7...0.95 : 0.6...1).contains(share), "\(share) of \(games) games")
    }

    /// The points of `upper`, which begins every other game, after two random discs.
    private static func playOut(_ number: Int, _ upper: String, _ lower: String) -> (points: Int, moves: [Int]) {
        var words = RandomWords(seed: SHA256.digest(of: "opening \(number / 2)"))
        let seed = SHA256.digest(of: "players \(number)")
        var players = [upper, lower].map { ConnectFour.Computer(level: $0, seat: Seat(0), seed: seed) }
        var (board, mover, played) = (Board(), number % 2, [Int]())
        while !board.isOver {
            let column = played.count < 2 ? words.number(below: 7) : players[mover].column(for: board) { false } ?? 0
            guard let bit = board.landing(in: column) else { break }
            board = board.dropping(bit)
            played.append(column)
            mover = 1 - mover
        }
        guard Board.hasLine(board.other) else { return (1, played) }
        return (mover == 0 ? 0 : 2, played)
    }
}
