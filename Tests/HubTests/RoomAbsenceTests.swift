import Games
import Testing

@testable import Hub

@Suite("A room: going and coming back") struct RoomAbsenceTests {
    struct Going: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let turnTime: Int
        let minutes: Int
        let isLeft: Bool
    }

    @Test(
        "who is absent at the end of a game with others and a turn timer has left it, when they went",
        arguments: [
            Going(testDescription: "for over a minute", turnTime: 600, minutes: 2, isLeft: true),
            Going(testDescription: "for less than a minute", turnTime: 600, minutes: 0, isLeft: false),
            Going(testDescription: "turns of an hour or more", turnTime: 3_600, minutes: 2, isLeft: false),
            Going(testDescription: "no turn timer", turnTime: 0, minutes: 2, isLeft: false),
        ])
    func absentAtTheEnd(_ going: Going) throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": .integer(going.turnTime)])
        table.hub.pass(5_000)
        table.benPage.leave()
        table.hub.pass(going.minutes * 60_000)
        table.playOut()
        let end = try #require(table.state.lastEnd)
        #expect(end.reason == .game(.finished))
        #expect(end.results.map { $0.result.isLeftEarly } == [false, going.isLeft])
        #expect(end.results.map(\.place) == [1, 2])
        if going.isLeft { #expect((5_000..<6_000).contains(end.results[1].result.time)) }
    }

    @Test("who left stands behind who played on, whatever their score was")
    func places() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let deck = table.deck
        for face in [deck[0], deck.first { $0 != deck[0] } ?? ""] {
            for cell in deck.indices where deck[cell] == face {
                table.annPage.command("flip", ["cell": .integer(cell)])
            }
        }
        table.annPage.leave()
        table.hub.pass(601_000)
        table.playOut()
        let end = try #require(table.state.lastEnd)
        #expect(end.results.map { $0.result.score } == [2, 1])
        #expect(end.results.map(\.place) == [2, 1])
    }

    @Test("a game of one person waits for 24 hours, asleep or awake, with a computer too", arguments: [false, true])
    func alone(_ hasComputer: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        page.command("sit")
        if hasComputer { page.command("bot", ["seat": 1, "level": "easy"]) }
        page.command("start")
        #expect(hub.room(code).lastStart?.options["turnTime"] == 0)
        page.leave()
        hub.pass(120_000)
        #expect(hub.shard.rooms.all.isEmpty)
        hub.skip(86_200_000)
        let back = hub.join(code, ann)
        #expect(back.last("welcome") != nil)
        back.leave()
        hub.pass(59_000)
        #expect(hub.room(code).phase == .running)
        hub.pass(122_000)
        #expect(hub.request("GET", "/api/leaderboard").fields["results"]?.list?.first?.object?["kind"] == "left")
    }
}
