import Cryptography
import Testing

@testable import Games

@Suite("Memory: how games end") struct MemoryEndTests {
    @Test("every pair won: finished, with each player's figures")
    func finished() throws {
        var table = try Table(["columns": 2, "rows": 3], at: 1_000_000)
        _ = try table.play("+1000 a1 a2 b1 c1 wait +2000 b1 b2 +500 c1")
        #expect(table.live.outcome == nil)
        _ = try table.play("c2")
        let time = 1_000 + 1_000 + 2_000 + 500
        #expect(
            table.live.outcome
                == Outcome(
                    reason: .finished,
                    results: [
                        result(0, score: 1, turns: 2, pairs: 1, time: time),
                        result(1, score: 2, turns: 2, pairs: 2, time: time),
                    ]))
        #expect(table.live.deadline == nil)
    }

    @Test("time in which the hub did not run is not time played")
    func downtime() throws {
        var table = try Table(["columns": 2, "rows": 3], at: 1_000_000)
        _ = try table.play("+1000 down60000 a1 a2 +1000 leave0 down60000 b1 b2 +1000 down7 c1 c2")
        #expect(table.live.outcome?.results.map(\.time) == [2_000, 3_000])
    }

    @Test("the last player leaves: left, with the present scores")
    func left() throws {
        var table = try Table(["columns": 2, "rows": 3])
        _ = try table.play("a1 a2 b1 +1000 leave0 b1 c1 +100 leave1")
        #expect(
            table.live.outcome
                == Outcome(
                    reason: .left,
                    results: [
                        result(0, score: 1, turns: 1, pairs: 1, time: 1_000, isLeftEarly: true),
                        result(1, score: 0, turns: 0, pairs: 0, time: 1_100, isLeftEarly: true),
                    ]))
    }

    struct Attempt: CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let turns: Int

        init(_ name: String, _ script: String, turns: Int) {
            (testDescription, self.script, self.turns) = (name, script, turns)
        }
    }

    @Test(
        "turns of seat 0 count attempts",
        arguments: [
            Attempt("none yet", "", turns: 0),
            Attempt("from the first card", "a1", turns: 1),
            Attempt("with both", "a1 b1", turns: 1),
            Attempt("a match and the next attempt", "a1 a2 b1", turns: 2),
            Attempt("one whose time ran out", "a1 wait", turns: 1),
            Attempt("time that ran out without a card is none", "wait", turns: 0),
            Attempt("leaving with a card up takes it back", "a1 leave0", turns: 0),
            Attempt("leaving during the reveal takes it back", "a1 b1 leave0", turns: 0),
            Attempt("leaving after a match does not", "a1 a2 leave0", turns: 1),
            Attempt("leaving after the reveal does not", "a1 b1 wait leave0", turns: 1),
            Attempt("leaving after the time ran out does not", "a1 wait leave0", turns: 1),
        ])
    func attempts(_ attempt: Attempt) throws {
        var table = try Table(["columns": 2, "rows": 3])
        _ = try table.play(attempt.script)
        #expect(table.live.results(at: table.now).first?.figures["turns"] == .integer(attempt.turns))
    }

    @Test("as many turns of each player as there are cards, and nothing new: stalled", arguments: [2, 3])
    func stalls(players: Int) throws {
        var table = try Table(["columns": 2, "rows": 3], players: players)
        _ = try table.play("a1 b1 wait a1 c1 wait")
        for _ in 1..<(6 * players) {
            #expect(try table.play("a1 b1 wait").contains("turn "))
            #expect(table.live.outcome == nil)
        }
        #expect(try table.play("a1 b1 wait") == "hide-card a1 b1")
        #expect(table.live.outcome?.reason == .stalled && table.live.deadline == nil)
    }

    @Test(
        "a single player may take any number of turns, with a timer or without",
        arguments: [("", 1), ("leave1", 2), ("a1 a2 leave2 leave1", 3)])
    func neverStallsAlone(script: String, players: Int) throws {
        for turnTime in [0, 30] {
            var table = try Table(["columns": 2, "rows": 3, "turnTime": .integer(turnTime)], players: players)
            _ = try table.play(script)
            for _ in 0..<100 { _ = try table.play("b1 c1 wait") }
            if turnTime > 0 { _ = try table.play("b1 wait wait c1 b1 wait") }
            #expect(table.live.outcome == nil && table.live.awaited == [Seat(0)])
            _ = try table.play(script.hasPrefix("a1") ? "" : "a1 a2")
            _ = try table.play("b1 b2 c1 c2")
            #expect(table.live.outcome?.reason == .finished)
        }
    }

    @Test("the game continues if others stall and then leave a player alone")
    func leftAlone() throws {
        var table = try Table(["columns": 2, "rows": 3], players: 2)
        _ = try table.play("a1 b1 wait a1 c1 wait")
        for _ in 0..<11 { _ = try table.play("a1 b1 wait") }
        #expect(try table.play("leave0 a1 b1 wait").contains("turn 1"))
        #expect(table.live.outcome == nil)
    }

    @Test("players marked away have no turns, and the game can stall without them")
    func stallsWithoutThoseAway() throws {
        var table = try Table(["columns": 2, "rows": 3, "turnTime": 5], players: 2)
        _ = try table.play("wait a1 b1 wait wait a1 c1 wait wait")
        #expect(table.live.players[0].isAway)
        for _ in 1..<6 { #expect(try table.play("a1 b1 wait").contains("turn 1")) }
        #expect(try table.play("a1 b1 wait") == "hide-card a1 b1")
        #expect(table.live.outcome?.reason == .stalled)
    }

    @Test("a new card, or a pair, restarts the count", arguments: ["c1 c2 a1 b1 wait", "c1 b1 wait"])
    func countsAnew(progress: String) throws {
        var table = try Table(["columns": 2, "rows": 3], players: 2)
        _ = try table.play("a1 b1 wait")
        for _ in 0..<11 { _ = try table.play("a1 b1 wait") }
        _ = try table.play(progress)
        for _ in 0..<10 { _ = try table.play("a1 b1 wait") }
        #expect(table.live.outcome == nil)
        while table.live.outcome == nil, table.log.count < 100 { _ = try table.play("a1 b1 wait") }
        #expect(table.live.outcome?.reason == .stalled)
    }

    @Test("turns that ran out count as turns without a new card")
    func stallsByTime() throws {
        var table = try Table(["columns": 2, "rows": 3, "turnTime": 5], players: 2)
        // Two turns run out and one does not, so that no one is marked away.
        _ = try table.play("a1 b1 wait a1 c1 wait")
        for _ in 0..<2 { _ = try table.play("wait wait wait wait a1 b1 wait a1 b1 wait") }
        #expect(table.live.outcome?.reason == .stalled)
        let types = table.log.map { entry in if case .event(let step, _) = entry { step.type } else { "" } }
        #expect(try #require(types.last) == "hide-card")
    }

    private func result(
        _ seat: Int, score: Int, turns: Int, pairs: Int, time: Milliseconds, isLeftEarly: Bool = false
    ) -> PlayerResult {
        PlayerResult(
            seat: Seat(seat), score: score, figures: ["turns": .integer(turns), "pairs": .integer(pairs)], time: time,
            isLeftEarly: isLeftEarly)
    }
}
