import Cryptography
import Testing

@testable import Games

extension OpenTable<Reversi> {
    /// The player whose turn it is places a disc on the cell with this name.
    @discardableResult
    mutating func place(_ name: String) throws -> [GameStep] {
        try play(
            "place", ["cell": .integer(try #require(Reversi.cell(named: Substring(name))))], by: live.mover.rawValue)
    }
}

@Suite("Reversi: the game") struct ReversiGameTests {
    @Test("black is the first seat and begins", arguments: [0, 1])
    func black(first: Int) throws {
        var table = try OpenTable<Reversi>(first: first)
        #expect(table.live.awaited == [Seat(first)])
        #expect(table.live.view["legal"]?.integers == [19, 26, 37, 44])
        try table.place("f5")
        #expect(table.live.awaited == [Seat(1 - first)])
        #expect(table.live.view["counts"] == .object(first == 0 ? ["0": 4, "1": 1] : ["0": 1, "1": 4]))
        #expect(table.log.map(\.type) == ["turn", "place-disc", "turn"])
        #expect(table.log[1].fields["flips"]?.integers == [36])
    }

    @Test(
        "is refused and changes nothing",
        arguments: [
            RefusedCommand("another's turn", "place", ["cell": 20], by: 0, "not-your-turn"),
            RefusedCommand("a seat that does not play", "place", ["cell": 20], by: 2, "not-your-turn"),
            RefusedCommand("a disc is there", "place", ["cell": 27], "cell-is-taken"),
            RefusedCommand("flips nothing", "place", ["cell": 0], "flips-nothing"),
            RefusedCommand("off the board", "place", ["cell": 64], "no-such-cell"),
            RefusedCommand("below the board", "place", ["cell": -1], "no-such-cell"),
            RefusedCommand("no cell", "place", [:], "bad-field"),
        ])
    func refuses(_ refused: RefusedCommand) throws {
        var table = try OpenTable<Reversi>()
        try table.place("f5")
        let before = table.live
        #expect {
            try table.play(refused.type, refused.fields, by: refused.seat)
        } throws: { ($0 as? Rejection)?.code == refused.code }
        #expect(table.live == before)
    }

    @Test("a player who runs out of time loses, with any number of discs")
    func time() throws {
        var table = try OpenTable<Reversi>(["turnTime": 5])
        #expect(table.live.deadline == 5_000)
        #expect(table.wait().map(\.type) == ["turn-expired"])
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .time)
        #expect(outcome.results.map(\.place) == [2, 1])
        #expect(throws: Rejection.notRunning) { try table.place("f5") }
    }

    @Test("resigning ends the game at any time", arguments: [0, 1])
    func resigning(seat: Int) throws {
        var table = try OpenTable<Reversi>()
        try table.play("resign", by: seat)
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .resigned)
        #expect(outcome.results.map(\.place) == (seat == 0 ? [2, 1] : [1, 2]))
        #expect(outcome.results.map(\.isLeftEarly) == [false, false])
    }

    @Test("a player who leaves has resigned, and left early")
    func leaving() throws {
        var table = try OpenTable<Reversi>()
        table.leave(1)
        #expect(table.live.outcome?.reason == .resigned)
        #expect(table.live.outcome?.results.map(\.isLeftEarly) == [false, true])
    }

    @Test("a wipe-out: the empty cells go to the winner of the tournament score")
    func wipeOut() throws {
        // The shortest game in which one side loses all its discs.
        var table = try OpenTable<Reversi>()
        for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] { try table.place(move) }
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == .finished)
        #expect(outcome.results.map(\.score) == [13, 0])
        #expect(outcome.results.map { $0.figures["tournament"]?.integer } == [64, 0])
        #expect(outcome.results.map(\.place) == [1, 2])
        #expect(table.live.notation == "e6f4e3f6g5d6e7f5c5")
    }

    @Test("random games end, count every disc, and their logs fold to the same state")
    func randomGames() throws {
        var passes = 0
        for number in 0..<LongTests.count(200, long: 100_000) {
            var table = try OpenTable<Reversi>()
            try table.playOut(seed: "reversi \(number)")
            let results = try #require(table.live.outcome).results
            let sum = results.reduce(0) { $0 + $1.score }
            #expect(sum == 4 + table.live.placed.count, "game \(number)")
            #expect(results.reduce(0) { $0 + ($1.figures["tournament"]?.integer ?? 0) } == 64, "game \(number)")
            #expect(Reversi.position(after: table.live.notation)?.position.empty == table.live.position.empty)
            #expect(table.live.view == table.shown.view)
            passes += table.log.count { $0.type == "pass" }
        }
        // A test without passes would say little.
        #expect(passes > 10)
    }
}
