import Testing

@testable import Games

@Suite("Memory: restarting") struct MemoryRestartTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let players: Int
        /// Nil while the game goes on.
        let reason: Outcome.Reason?

        init(_ name: String, _ script: String, players: Int = 2, ends reason: Outcome.Reason? = nil) {
            testDescription = name
            (self.script, self.players, self.reason) = (script, players, reason)
        }
    }

    @Test(
        "it takes all who are present, in one turn",
        arguments: [
            Case("alone, at once", "restart", players: 1, ends: .restart),
            Case("alone, with a card up", "a1 restart", players: 1, ends: .restart),
            Case("alone, during the reveal", "a1 b1 restart", players: 1, ends: .restart),
            Case("one of two", "0:restart"),
            Case("one of two, again and again", "0:restart 0:restart"),
            Case("both", "1:restart 0:restart", ends: .restart),
            Case("both, with a card up", "1:restart a1 0:restart", ends: .restart),
            Case("both, the second during the reveal", "1:restart a1 b1 0:restart", ends: .restart),
            Case("not in the same turn", "1:restart a1 b1 wait 0:restart"),
            Case("a match ends the turn, too", "1:restart a1 a2 0:restart"),
            Case("and so does the time", "1:restart wait 0:restart"),
            Case("two of three", "0:restart 2:restart", players: 3),
            Case("three of three", "0:restart 2:restart 1:restart", players: 3, ends: .restart),
            Case("the one who did not ask leaves", "0:restart leave1", ends: .restart),
            Case("in the own turn", "1:restart leave0", ends: .restart),
            Case("one who did not ask leaves, another stays", "0:restart leave1", players: 3),
            Case("who asked leaves", "0:restart leave0"),
            Case("who asked leaves, and another asks", "0:restart leave0 1:restart", players: 3),
            Case("all who are left", "leave0 1:restart 2:restart", players: 3, ends: .restart),
            Case("nobody waits for who is away", "wait wait wait wait wait 1:restart", ends: .restart),
            Case("nor ends the game by going away", "wait wait wait wait 1:restart wait"),
            Case("who is away and asks is back", "wait wait wait wait wait 0:restart"),
            Case("the last one leaves", "0:restart leave0 leave1", ends: .left),
        ])
    func restarts(_ play: Case) throws {
        var table = try Table(["columns": 2, "rows": 3], players: play.players)
        _ = try table.play(play.script)
        #expect(table.live.outcome?.reason == play.reason)
        if play.reason != nil { #expect(table.live.deadline == nil && table.live.turn == nil) }
    }

    @Test(
        "who asks is shown",
        arguments: [
            Play("in the own turn", "restart", gives: "restart-asked 0"),
            Play("in another's", "1:restart", gives: "restart-asked 1"),
            Play("only once a turn", "1:restart 1:restart", gives: ""),
            Play("in the next turn again", "1:restart a1 b1 wait 1:restart", gives: "restart-asked 1"),
            Play("leaving ends it without a turn", "1:restart a1 leave0", gives: "hide-card a1, player-left"),
            Play("being back", "wait wait wait wait wait 0:restart", gives: "back 0, restart-asked 0"),
        ])
    func asks(_ play: Play) throws { try play.check() }

    @Test("scores are recorded as they stand, of those who left before, too")
    func results() throws {
        var table = try Table(["columns": 2, "rows": 3, "rule": "medium"], players: 3)
        _ = try table.play("a1 a2 +1000 leave2 1:restart 0:restart")
        let results = try #require(table.live.outcome?.results)
        #expect(results.map(\.score) == [15, 0, 0])
        #expect(results.map(\.isLeftEarly) == [false, false, true])
        #expect(results.map { $0.figures["turns"] } == [1, 0, 0])
    }

    @Test(
        "a game without a flip is not recorded",
        arguments: zip(
            ["restart", "shuffle restart", "a1 restart", "a1 b1 wait restart", "a1 a2 restart"],
            [0, 0, 1, 1, 1]))
    func withoutFlip(script: String, records: Int) throws {
        var table = try Table(["columns": 2, "rows": 3], players: 1)
        _ = try table.play(script)
        #expect(table.live.outcome?.reason == .restart && table.live.outcome?.results.count == records)
    }

    @Test("strangers, and who has left, ask for nothing", arguments: [("", 7), ("leave1", 1)])
    func strangers(script: String, seat: Int) throws {
        var table = try Table(["columns": 2, "rows": 3], players: 3)
        _ = try table.play(script)
        let before = table.live
        let rejection = #expect(throws: Rejection.self) { try table.command("restart", by: Seat(seat)) }
        #expect(rejection?.code == "not-your-turn" && table.live == before)
    }
}
