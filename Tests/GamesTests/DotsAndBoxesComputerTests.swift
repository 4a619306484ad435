import Cryptography
import Testing

@testable import Games

/// Boards of any number of boxes, with lines numbered as in the game, and their values by full search: nothing is known
/// here but the rules.
struct PlainDots {
    let lineCount: Int
    let boxes: [UInt64]

    init(columns: Int, rows: Int) {
        let vertical = columns * (rows + 1)
        lineCount = vertical + (columns + 1) * rows
        boxes = (0..<(columns * rows)).map { box in
            let (row, column) = (box / columns, box % columns)
            let left = vertical + row * (columns + 1) + column
            return [box, box + columns, left, left + 1].reduce(0) { $0 | 1 << UInt64($1) }
        }
    }

    func gain(of line: Int, _ drawn: UInt64) -> Int {
        boxes.count { drawn & $0 != $0 && (drawn | 1 << UInt64(line)) & $0 == $0 }
    }

    /// The boxes that the player to move gets from `drawn` on, less those of the other, with best play.
    func worth(of drawn: UInt64, _ known: inout [UInt64: Int]) -> Int {
        if let worth = known[drawn] { return worth }
        let lines = (0..<lineCount).filter { drawn >> UInt64($0) & 1 == 0 }
        let best = lines.map { worth(after: $0, on: drawn, &known) }.max() ?? 0
        known[drawn] = best
        return best
    }

    func worth(after line: Int, on drawn: UInt64, _ known: inout [UInt64: Int]) -> Int {
        let (gain, next) = (gain(of: line, drawn), drawn | 1 << UInt64(line))
        return gain > 0 ? gain + worth(of: next, &known) : -worth(of: next, &known)
    }
}

@Suite("Dots and boxes: computer players") struct DotsAndBoxesComputerTests {
    private typealias Grid = DotsAndBoxes.Grid

    private static func game(size: Int, players: Int = 2, first: Int = 0) throws -> DotsAndBoxes {
        let setup = try DotsAndBoxes.Setup(["size": .integer(size), "seats": .integer(players), "turnTime": 0])
        return DotsAndBoxes(
            setup: setup, players: (0..<players).map { Seat($0) }, first: Seat(first), seed: nil, at: 0)
    }

    private static func computer(_ level: String, _ seed: String) -> DotsAndBoxes.Computer {
        DotsAndBoxes.Computer(level: level, seat: Seat(0), seed: SHA256.digest(of: seed))
    }

    /// In boxes, by full search. That the first player wins with two by two boxes is also in E. Berlekamp, J. Conway,
    /// R. Guy, Winning Ways, chapter 16.
    @Test(
        "a board is worth so much to the player who begins",
        arguments: [(1, 1, -1), (2, 1, 0), (3, 1, -1), (2, 2, 2)])
    func values(columns: Int, rows: Int, worth: Int) {
        var known: [UInt64: Int] = [:]
        #expect(PlainDots(columns: columns, rows: rows).worth(of: 0, &known) == worth)
    }

    /// The second player wins 6 to 3. Found by full search of all 2^24 positions.
    @Test("the search solves the empty board of four dots a side", .enabled(if: LongTests.areOn))
    func four() {
        var solver = BoxSolver(Grid.ofSize(4), free: 24) { false }
        #expect(solver.worth(of: 0) == -3)
    }

    @Test("level 5 plays a best move in all positions with three dots a side")
    func best() throws {
        let board = PlainDots(columns: 2, rows: 2)
        var known: [UInt64: Int] = [:]
        var game = try Self.game(size: 3)
        for drawn: UInt64 in 0..<4_095 {
            game.drawn = drawn
            var player = Self.computer("5", "\(drawn)")
            let line = try #require(player.line(in: game) { false })
            try #require(drawn >> UInt64(line) & 1 == 0)
            let worth = (of: board.worth(of: drawn, &known), after: board.worth(after: line, on: drawn, &known))
            #expect(worth.of == worth.after, "line \(line) on \(String(drawn, radix: 2))")
        }
    }

    @Test("level 5 wins 3 to 1 against itself with three dots a side, if it begins", arguments: 0..<2)
    func small(first: Int) throws {
        let scores = try Self.playOut(["5", "5"], size: 3, first: first, seed: "small").scores
        #expect(scores[first] == 3 && scores[1 - first] == 1)
    }

    /// Ends of games between players who avoid giving boxes away and leave some, so that there are chains and loops.
    @Test("the search finds the value of each end of a game", arguments: 0..<24)
    func exact(number: Int) throws {
        var position = DotsAndBoxes.Position(try Self.game(size: 4 + number % 3))
        let grid = position.grid
        let board = PlainDots(columns: grid.size - 1, rows: grid.size - 1)
        #expect(board.boxes == grid.sides)
        var dice = Dice(state: UInt64(number))
        var known: [UInt64: Int] = [:]
        while position.drawn != grid.all {
            if position.freeCount <= 10 {
                var solver = BoxSolver(grid, free: position.freeCount) { false }
                #expect(solver.worth(of: position.drawn) == board.worth(of: position.drawn, &known))
            }
            position.draw(position.line(by: DotsAndBoxes.Habits(takes: 70, isCareful: 100, counts: 0), &dice))
        }
    }

    /// With four dots a side. All lines are drawn but those named.
    @Test("what can be taken, left, and opened")
    func choices() {
        let grid = Grid.ofSize(4)
        func lines(_ free: Int...) -> UInt64 { free.reduce(grid.all) { $0 & ~(1 << UInt64($1)) } }
        // The top row of boxes has the vertical lines 12 to 15.
        #expect(grid.choice(lines(12, 13, 14, 15)) == .open)
        #expect(grid.chains(lines(12, 13, 14, 15)).map(\.length) == [3])
        #expect(grid.choice(lines(13, 14, 15)) == .take(13))
        #expect(grid.choice(lines(14, 15)) == .deal(take: 14, leave: 15))
        #expect(grid.choice(lines(15)) == .take(15))
        // Two boxes beside each other are opened between them.
        let two = grid.chains(lines(12, 13, 14))
        #expect(two.count == 1 && two.first?.line == 13 && two.first?.length == 2)
        // The four boxes at the top left, as a loop, which has been opened.
        #expect(grid.chains(lines(3, 4, 13, 17)).map(\.length) == [4])
        #expect(grid.choice(lines(3, 4, 17)) == .deal(take: 3, leave: 17))
        // A chain and a loop, both open, with five dots a side. The loop is taken first, wherever it is.
        let large = Grid.ofSize(5)
        for (free, take) in [([4, 5, 26, 38, 39], 4), ([20, 21, 14, 15, 38], 14)] {
            #expect(large.choice(free.reduce(large.all) { $0 & ~(1 << UInt64($1)) }) == .take(take))
        }
        #expect(grid.safe(0) == grid.all && grid.safe(lines(12, 13, 14, 15)) == 0)
    }

    /// The rows of boxes at the top and at the bottom are chains of three. Of the first, which is open, two boxes are
    /// left.
    @Test(
        "leaves two boxes for a long chain with two players, and takes all with three",
        arguments: [("3", 2, 15), ("4", 2, 15), ("5", 2, 15), ("2", 3, 14), ("3", 3, 14)])
    func doubleDealing(level: String, players: Int, line: Int) throws {
        var game = try Self.game(size: 4, players: players)
        game.drawn = [14, 15, 20, 21, 22, 23].reduce(game.grid.all) { $0 & ~(1 << UInt64($1)) }
        var player = Self.computer(level, "deal")
        #expect(player.line(in: game) { false } == line)
    }

    @Test("stopped thinking gives no move", arguments: ["4", "5"])
    func stopped(level: String) throws {
        var player = Self.computer(level, "stopped")
        #expect(player.line(in: try Self.game(size: 6)) { true } == nil)
        var solver = BoxSolver(Grid.ofSize(4), free: 24) { true }
        #expect(solver.bestLine(among: Array(0..<24), on: 0) == nil && solver.nodeCount < 2_000)
    }

    @Test("a search out of budget gives no move")
    func budget() {
        var solver = BoxSolver(Grid.ofSize(4), free: 24, budget: 2_000) { false }
        #expect(solver.bestLine(among: Array(0..<24), on: 0) == nil && solver.nodeCount < 4_000)
        var large = BoxSolver(Grid.ofSize(6), free: 60) { false }
        #expect(large.bestLine(among: [0], on: 0) == nil)
    }

    @Test("the same seed gives the same game", arguments: ["1", "2", "3", "4"])
    func repeats(level: String) throws {
        let levels = [level, "2", level]
        #expect(
            try Self.playOut(levels, size: 4, first: 1, seed: "same").lines
                == Self.playOut(levels, size: 4, first: 1, seed: "same").lines)
    }

    @Test("plays with any size and number of players", arguments: Grid.sizes, DotsAndBoxes.seats)
    func all(size: Int, players: Int) throws {
        for level in LongTests.areOn ? DotsAndBoxes.Computer.levels : ["1", "2", "3"] {
            let scores = try Self.playOut(
                Array(repeating: level, count: players), size: size, first: 0, seed: "all"
            ).scores
            #expect(scores.reduce(0, +) == (size - 1) * (size - 1))
        }
    }

    /// In debug builds the upper levels take too long for more.
    @Test(
        "each level beats the one below it in 70 to 95 of 100 games",
        arguments: [("2", 200), ("3", 60), ("4", 6), ("5", 0)])
    func strength(upper: String, games: Int) throws {
        guard LongTests.areOn || games > 0 else { return }
        let count = LongTests.count(games, long: 400)
        let lower = String((Int(upper) ?? 0) - 1)
        // A win counts 2, a draw 1.
        var points = 0
        for number in 0..<count {
            let scores = try Self.playOut([upper, lower], size: 5, first: number % 2, seed: "\(number)").scores
            points += 1 + (scores[0] - scores[1]).signum()
        }
        let share = Double(points) / Double(2 * count)
        #expect((count > 50 ? 0.7...0.95 : 0.5...1).contains(share), "\(share) of \(count) games")
    }

    private static func playOut(_ levels: [String], size: Int, first: Int, seed: String) throws
        -> (scores: [Int], lines: [Int])
    {
        var game = try game(size: size, players: levels.count, first: first)
        var players = levels.enumerated().map { computer($1, "\(seed) \($0)") }
        var played: [Int] = []
        while !game.isOver {
            let line = try #require(players[game.mover.rawValue].line(in: game) { false })
            let drawn = try game.decide(.draw(line: line), by: game.mover, at: 0)
            for event in drawn { game.apply(event, at: 0) }
            played.append(line)
        }
        return (game.players.map { game.score(of: $0) }, played)
    }
}
