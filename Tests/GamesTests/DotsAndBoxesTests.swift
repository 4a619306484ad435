import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Dots and boxes: the game") struct DotsAndBoxesTests {
    /// Lines of a box: above, below, left, right.
    @Test(
        "lines and boxes are numbered row by row, horizontal lines first",
        arguments: [
            (3, 0, [0, 2, 6, 7]), (3, 1, [1, 3, 7, 8]), (3, 2, [2, 4, 9, 10]), (3, 3, [3, 5, 10, 11]),
            (4, 4, [4, 7, 17, 18]), (5, 0, [0, 4, 20, 21]), (5, 15, [15, 19, 38, 39]), (6, 24, [24, 29, 58, 59]),
            (6, 7, [7, 12, 38, 39]),
        ])
    func numbers(size: Int, box: Int, lines: [Int]) {
        let grid = DotsAndBoxes.Grid.ofSize(size)
        #expect((0..<grid.lineCount).filter { grid.sides[box] >> UInt64($0) & 1 == 1 } == lines)
        for line in lines { #expect([grid.beside[line].first, grid.beside[line].second].contains(box)) }
    }

    @Test("a board has so many lines and boxes", arguments: [(3, 12, 4), (4, 24, 9), (5, 40, 16), (6, 60, 25)])
    func counts(size: Int, lines: Int, boxes: Int) throws {
        let view = try DotsTable(size: size).live.view
        #expect(view["lines"]?.list?.count == lines && view["boxes"]?.list?.count == boxes)
    }

    @Test("a room has five dots a side and four seats unless it asks for others")
    func options() throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let usual = try DotsAndBoxes.setup([:], players: 2, draw: &draw)
        #expect(usual.options == ["seats": 4, "turnTime": 30, "size": 5])
        #expect(usual.fields == ["board": .object(["columns": 5, "rows": 5])])
        #expect(usual.mode == "5x5")
        let board = try #require(DotsAndBoxes.board(["size": 6]))
        #expect(board == (6, 6))
        for (name, value) in [("size", 2), ("size", 7), ("seats", 1), ("seats", 5), ("turnTime", 4)] {
            #expect { _ = try DotsAndBoxes.options([name: .integer(value)]) } throws: {
                ($0 as? Rejection)?.code == "out-of-range" && ($0 as? Rejection)?.values["option"]?.string == name
            }
        }
        #expect(DotsAndBoxes.Setup(options: ["size": 9], fields: [:]) == nil)
    }

    @Test("a line gives the turn to the next player, and a box gives another turn")
    func turns() throws {
        var table = try DotsTable(players: 3, first: 2)
        let first = try table.draw(0)
        #expect(first.map(\.type) == ["draw-line", "turn"])
        #expect(first[0].fields == ["seat": 2, "line": 0] && first[1].fields == ["seat": 0, "deadline": 5_000])
        table.now = 1_000
        try table.draw(2, 6)
        #expect(table.live.mover == Seat(2) && table.live.deadline == 6_000)
        let box = try table.draw(7)
        #expect(box[0].fields == ["seat": 2, "line": 7, "boxes": .integers([0])])
        #expect(box[1].fields == ["seat": 2, "deadline": 6_000])
        #expect(table.live.results(at: 0).map(\.score) == [0, 0, 1])
    }

    @Test("a line between two boxes can complete both, and the last line ends the game")
    func twoBoxes() throws {
        var table = try DotsTable(turnTime: 0)
        try table.draw(0, 1, 2, 3, 6, 8)
        let both = try table.draw(7)
        #expect(both[0].fields == ["seat": 0, "line": 7, "boxes": .integers([0, 1])] && both[1].fields == ["seat": 0])
        try table.draw(4, 5, 9, 11)
        let last = try table.draw(10)
        #expect(last.map(\.type) == ["draw-line"] && last[0].fields["boxes"]?.integers == [2, 3])
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .finished && table.live.awaited.isEmpty && table.live.deadline == nil)
        #expect(outcome.results.map(\.score) == [4, 0] && outcome.results.map(\.place) == [nil, nil])
        #expect(throws: Rejection.notRunning) { try table.play("draw", ["line": 12], by: 0) }
        #expect(throws: Rejection.notRunning) { try table.play("resign", by: 1) }
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            RefusedCommand("another's turn", "draw", ["line": 1], by: 0, "not-your-turn"),
            RefusedCommand("another's turn, and no such line", "draw", ["line": 12], by: 0, "not-your-turn"),
            RefusedCommand("a seat that does not play", "draw", ["line": 1], by: 3, "not-your-turn"),
            RefusedCommand("a player who is out", "draw", ["line": 1], by: 2, "not-your-turn"),
            RefusedCommand("resigning twice", "resign", [:], by: 2, "not-your-turn"),
            RefusedCommand("a line beyond the last", "draw", ["line": 12], by: 1, "no-such-line"),
            RefusedCommand("a line before the first", "draw", ["line": -1], by: 1, "no-such-line"),
            RefusedCommand("a line that is drawn", "draw", ["line": 0], by: 1, "line-is-drawn"),
            RefusedCommand("no line", "draw", [:], by: 1, "bad-field"),
            RefusedCommand("a line by name", "draw", ["line": "0"], by: 1, "bad-field"),
        ])
    func refuses(_ refused: RefusedCommand) throws {
        var table = try DotsTable(players: 3)
        try table.play("resign", by: 2)
        try table.draw(0)
        let before = table.live
        #expect {
            try table.play(refused.type, refused.fields, by: refused.seat)
        } throws: { ($0 as? Rejection)?.code == refused.code }
        #expect(table.live == before)
    }

    @Test("a refusal has the values that it is about")
    func values() {
        #expect(Rejection.noSuchLine(40, lines: 40).values == ["line": 40, "range": .integers([0, 39])])
        #expect(Rejection.lineIsDrawn(3).values == ["line": 3])
    }

    /// After lines 0, 2 and 6, seat 1 may complete box 0 by line 7.
    @Test(
        "an event that does not fit is not read",
        arguments: [
            ("draw-line", ["seat": 0, "line": 1]), ("draw-line", ["seat": 1, "line": 0]),
            ("draw-line", ["seat": 1, "line": 12]), ("draw-line", ["seat": 1, "line": -1]),
            ("draw-line", ["seat": 1]), ("draw-line", ["line": 1]), ("draw-line", ["seat": 1, "line": 7]),
            ("draw-line", ["seat": 1, "line": 7, "boxes": .integers([1])]),
            ("draw-line", ["seat": 1, "line": 7, "boxes": .integers([0, 1])]),
            ("draw-line", ["seat": 1, "line": 7, "boxes": 0]),
            ("draw-line", ["seat": 1, "line": 1, "boxes": .integers([])]),
            ("draw-line", ["seat": 1, "line": 1, "boxes": .null]), ("turn", ["seat": 1]), ("turn", ["seat": 0]),
            ("turn-expired", ["seat": 0]), ("resigned", ["seat": 2]), ("resigned", [:]), ("resigned", ["seat": "1"]),
            ("drop-disc", ["seat": 1]),
        ] as [(String, Fields)])
    func unfit(type: String, fields: Fields) throws {
        var table = try DotsTable()
        try table.draw(0, 2, 6)
        #expect(table.live.event(type: type, fields: fields) == nil)
        #expect(table.live.event(type: "draw-line", fields: ["seat": 1, "line": 7, "boxes": .integers([0])]) != nil)
        try table.play("resign", by: 0)
        #expect(table.live.event(type: type, fields: fields) == nil)
    }

    @Test("an event that is applied though it does not fit changes nothing")
    func applied() throws {
        var table = try DotsTable(players: 3)
        try table.goOut(2, "resigned")
        try table.draw(0)
        var game = table.live
        let events: [DotsAndBoxes.Event] = [
            .drawLine(line: 0, seat: Seat(1), boxes: [9]), .drawLine(line: 99, seat: Seat(1), boxes: []),
            .drawLine(line: -1, seat: Seat(7), boxes: []), .turnExpired(Seat(2)), .resigned(Seat(5)),
        ]
        for event in events { game.apply(event, at: table.now) }
        game.applyLeaving(of: Seat(9), at: table.now)
        #expect(game == table.live)
    }

    @Test("an outage moves the deadline and does not count as time played")
    func outage() throws {
        var table = try DotsTable(players: 3)
        try table.goOut(2, "resigned")
        var game = table.live
        game.extendClock(by: 700)
        #expect(game.deadline == 5_700 && game.results(at: 1_700).map(\.time) == [1_000, 1_000, 0])
    }

    @Test("random games end, and all folds agree", arguments: DotsAndBoxes.Grid.sizes, DotsAndBoxes.seats)
    func randomGames(size: Int, players: Int) throws {
        for number in 0..<LongTests.count(4, long: 500) {
            var words = RandomWords(seed: SHA256.digest(of: "dots \(size) \(players) \(number)"))
            var table = try DotsTable(players: players, size: size, first: words.number(below: players))
            while let seat = table.live.awaited.first {
                if words.number(below: 60) == 0 {
                    let seats = table.live.playing
                    let other = seats[words.number(below: seats.count)].rawValue
                    _ = try table.goOut(other, ["resigned", "left"][words.number(below: 2)])
                } else {
                    let moves = table.live.legalSteps(for: seat)
                    #expect(moves.count == table.live.grid.lineCount - table.live.drawn.nonzeroBitCount)
                    let move = moves[words.number(below: moves.count)]
                    try table.play(move.type, move.fields, by: seat.rawValue)
                }
            }
            try check(table, "game \(number)")
        }
    }

    private func check(_ table: DotsTable, _ name: String) throws {
        let drawn = table.log.filter { $0.type == "draw-line" }
        let lines = drawn.compactMap { $0.fields["line"]?.integer }
        let boxes = drawn.flatMap { $0.fields["boxes"]?.integers ?? [] }
        #expect(Set(lines).count == lines.count && Set(boxes).count == boxes.count, "\(name)")
        let outcome = try #require(table.live.outcome)
        let scores = outcome.results.map(\.score)
        #expect(scores.reduce(0, +) == boxes.count && scores == table.live.players.map { table.live.score(of: $0) })
        guard outcome.reason == .finished else { return }
        #expect(lines.count == table.live.grid.lineCount && boxes.count == table.live.grid.boxCount, "\(name)")
    }
}
