import JSON
import Testing

@testable import Games

@Suite("Dots and boxes: players who go out") struct DotsAndBoxesEndTests {
    @Test("the first of two who goes out loses", arguments: ["time", "resigned", "left"])
    func outOfTwo(reason: String) throws {
        var table = try DotsTable()
        // Seat 0 completes a box and has another turn.
        try table.draw(0, 2, 6, 1, 7)
        #expect(table.live.mover == Seat(0))
        let events = try table.goOut(0, reason)
        #expect(events.map(\.type) == (reason == "left" ? [] : [reason == "time" ? "turn-expired" : "resigned"]))
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == (reason == "time" ? .time : .resigned))
        #expect(outcome.results.map(\.score) == [1, 0] && outcome.results.map(\.place) == [2, 1])
        #expect(outcome.results.map(\.isLeftEarly) == [reason == "left", false])
        #expect(table.live.view["out"] == .list([.object(["seat": 0, "reason": .string(reason)])]))
        #expect(table.live.awaited.isEmpty && table.live.deadline == nil)
        #expect(throws: Rejection.notRunning) { try table.draw(4) }
    }

    @Test("of more players the others play on", arguments: [3, 4], ["time", "resigned", "left"])
    func outOfMore(players: Int, reason: String) throws {
        var table = try DotsTable(players: players, first: players - 1)
        table.now = 3_000
        try table.draw(0)
        var last = try table.goOut(0, reason)
        // Then the next one has the turn, with a deadline of its own.
        #expect(last.last?.fields == ["seat": 1, "deadline": .integer(table.now + 5_000)])
        #expect(table.live.outcome == nil && table.live.results(at: table.now)[0].place == players)
        let time = table.now
        table.now += 1_000
        for seat in 1..<(players - 1) { last = try table.goOut(seat, reason) }
        #expect(!last.map(\.type).contains("turn"))
        let outcome = try #require(table.live.outcome)
        #expect(outcome.reason == (reason == "time" ? .time : .resigned))
        #expect(outcome.results.map(\.place) == Array(repeating: 2, count: players - 1) + [1])
        #expect(outcome.results[0].time == time && outcome.results[players - 1].time == table.now)
        #expect(table.live.exits.map(\.end.loser.rawValue) == Array(0..<(players - 1)))
    }

    @Test("a player who is out of turn goes out without a new turn", arguments: ["resigned", "left"])
    func outOfTurn(reason: String) throws {
        var table = try DotsTable(players: 4)
        try table.draw(0)
        let deadline = table.live.deadline
        #expect(try table.goOut(2, reason).map(\.type) == (reason == "left" ? [] : ["resigned"]))
        #expect(table.live.mover == Seat(1) && table.live.deadline == deadline)
        // Seat 2 gets no more turns, and may still leave.
        try table.draw(1)
        #expect(table.live.mover == Seat(3))
        #expect(table.leave(2).isEmpty && table.live.exits.count == 1)
        #expect(table.live.results(at: 0).map(\.isLeftEarly) == [false, false, true, false])
    }

    @Test("players who are out keep their boxes and rank after all others")
    func ranks() throws {
        var table = try DotsTable(players: 3)
        try table.draw(0, 2, 6, 7)
        #expect(table.live.score(of: Seat(0)) == 1)
        try table.goOut(0, "resigned")
        while table.live.outcome == nil { try table.draw(table.live.lines.firstIndex(of: nil) ?? 0) }
        let results = try #require(table.live.outcome).results
        #expect(table.live.outcome?.reason == .finished)
        #expect(results[0].score == 1 && results[0].place == 3)
        #expect(results.map(\.score).reduce(0, +) == 4)
        let (one, two) = (results[1].score, results[2].score)
        #expect(results[1].place == (one >= two ? 1 : 2) && results[2].place == (two >= one ? 1 : 2))
    }
}
