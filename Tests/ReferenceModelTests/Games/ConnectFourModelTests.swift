import Testing

@testable import ReferenceModel

@Suite("The model of connect four") struct ConnectFourModelTests {
    private func play(_ moves: String, _ play: inout Scripted<ConnectFourModel>) -> [GameEvent] {
        var events: [GameEvent] = []
        for column in moves.utf8 { events = play.say(.drop(column: Int(column) - 49)) }
        return events
    }

    // https://oeis.org/A212693
    @Test("positions after n plies", arguments: zip(1...5, [7, 49, 238, 1_120, 4_263]))
    func positions(plies: Int, count: Int) throws {
        var reached = [try Started().connectFour().cells: try Started().connectFour()]
        for _ in 1...plies {
            var next: [[Int8]: ConnectFourModel] = [:]
            for game in reached.values {
                for column in 0..<7 {
                    var play = Scripted(game)
                    if play.say(.drop(column: column)).isEmpty { continue }
                    next[play.game.cells] = play.game
                }
            }
            reached = next
        }
        #expect(reached.count == count)
    }

    struct Won: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let moves: String
        /// Empty: nobody has won.
        let line: [Int]
    }

    @Test(
        "what wins",
        arguments: [
            Won(testDescription: "side by side", moves: "1122334", line: [35, 36, 37, 38]),
            Won(testDescription: "five in a row", moves: "112255443", line: [35, 36, 37, 38, 39]),
            Won(testDescription: "one above the other", moves: "7171717", line: [20, 27, 34, 41]),
            Won(testDescription: "rising", moves: "12233434474", line: [17, 23, 29, 35]),
            Won(testDescription: "falling", moves: "76655454414", line: [17, 25, 33, 41]),
            Won(testDescription: "three are none", moves: "112233", line: []),
            Won(testDescription: "not round an edge", moves: "1626365", line: []),
        ])
    func lines(row: Won) throws {
        var game = Scripted(try Started().connectFour())
        let events = play(row.moves, &game)
        #expect(game.game.view["line"] == (row.line.isEmpty ? nil : .numbers(row.line)))
        #expect(game.game.view["moves"] == .text(row.moves), "all moves were legal")
        guard !row.line.isEmpty else {
            #expect(events.types == ["drop-disc", "turn"])
            return
        }
        #expect(events.types == ["drop-disc", "game-ended"] && events.reason == "finished")
        let count = row.moves.utf8.count
        #expect(events.results.map(\.score).max() == 1 && events.results.map(\.place).sorted() == [1, 2])
        #expect(events.results.first { $0.place == 1 }?.seat == (count - 1) % 2)
        #expect(events.results.map(\.turns) == [(count + 1) / 2, count / 2])
    }

    @Test("a full board without a line is nobody's")
    func draw() throws {
        var game = Scripted(try Started().connectFour())
        let events = play("225344533673453576212645522737771141641166", &game)
        #expect(events.types == ["drop-disc", "game-ended"] && events.reason == "finished")
        #expect(events.results.map(\.place) == [1, 1] && events.results.map(\.score) == [0, 0])
        #expect(game.game.someMove(3) == nil)
    }

    @Test("what is refused")
    func refusals() throws {
        var game = Scripted(try Started().connectFour())
        _ = play("111111", &game)
        #expect(game.refusal(of: .drop(column: 0)) == "column-is-full")
        #expect(game.refusal(of: .drop(column: 7)) == "no-such-column")
        #expect(game.refusal(of: .drop(column: -1)) == "no-such-column")
        #expect(game.refusal(of: .drop(column: 7), by: 1) == "not-your-turn")
    }

    @Test("who resigns out of turn has lost")
    func resigned() throws {
        var game = Scripted(try Started().connectFour())
        _ = play("12", &game)
        let events = game.say(.resign, by: 1)
        #expect(events.types == ["resigned", "game-ended"] && events.reason == "resigned")
        #expect(events.results.map(\.place) == [1, 2] && events.results.map(\.score) == [1, 0])
    }

    @Test("a move that wins at once is found")
    func goodMove() throws {
        var game = Scripted(try Started().connectFour())
        _ = play("445566", &game)
        #expect(game.game.goodMove(0) == .drop(column: 2))
    }
}
