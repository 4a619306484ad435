import Games
import Testing

@testable import Hub
@testable import RoomRules

@Suite("A room: leaving and coming back") struct RoomAbsenceTests {
    struct Going: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let turnTime: Int
        let minutes: Int
        let isLeft: Bool
    }

    @Test(
        "a player absent at the end of a timed game with others has left it when they went",
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

    @Test("a player who has left by absence has played until going, without later outages")
    func timeUntilGoing() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        table.hub.pass(5_000)
        table.benPage.leave()
        table.hub.pass(40_000)
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(100_000)
        table.hub.log.resumeWrites()
        table.hub.settle()
        table.hub.pass(40_000)
        table.hub.standStill(30_000)
        table.playOut()
        let result = try #require(table.state.lastEnd?.results.last?.result)
        #expect(result.isLeftEarly)
        #expect((5_000..<6_000).contains(result.time))
    }

    @Test("a player who was helped, came back and has gone again has left too")
    func goneAfterHelp() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        table.benPage.leave()
        table.hub.pass(61_000)
        #expect(table.annPage.command("bot", ["seat": 1, "level": "easy"])?["type"] == "ok")
        let back = table.hub.join(table.code, table.ben)
        back.command("here", id: "back")
        #expect(table.watcher.last("seat-returned") != nil)
        back.leave()
        table.hub.pass(61_000)
        table.playOut()
        let end = try #require(table.state.lastEnd)
        #expect(end.results.map { $0.result.isLeftEarly } == [false, true])
    }

    @Test("a computer that is asked at the last moment of a third turn plays the next one")
    func helpTooLate() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 31])
        table.benPage.leave()
        let other = try #require(table.deck.indices.first { table.deck[$0] != table.deck[0] })
        for turn in 1...3 {
            for cell in [0, other] { table.annPage.command("flip", ["cell": .integer(cell)]) }
            table.hub.pass(1_000)
            #expect(table.state.awaited == [Seat(1)])
            table.hub.pass(turn < 3 ? 31_000 : 30_900)
        }
        #expect(table.annPage.command("bot", ["seat": 1, "level": "easy"])?["type"] == "ok")
        table.hub.pass(100)
        #expect(table.watcher.events.suffix(4).map { $0["type"] } == ["turn-expired", "away", "turn", "back"])
        for cell in [0, other] { table.annPage.command("flip", ["cell": .integer(cell)]) }
        table.hub.pass(5_000)
        #expect(table.watcher.last("show-card")?["seat"] == 1)
    }

    @Test("a player who comes back while the log takes no writes gets the seat once it does")
    func backWithoutLog() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        table.benPage.leave()
        table.hub.pass(61_000)
        #expect(table.annPage.command("bot", ["seat": 1, "level": "easy"])?["type"] == "ok")
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        _ = table.hub.join(table.code, table.ben)
        table.hub.pass(5_000)
        #expect(table.watcher.last("seat-returned") == nil)
        table.hub.log.resumeWrites()
        table.hub.settle()
        #expect(table.watcher.last("seat-returned") != nil)
    }

    @Test("the game ends when only computers are left, and it is no one's turn")
    func leavingComputers() {
        let party = Party(["Ann"], computers: 2)
        party["Ann"].command("leave")
        #expect(party.types.suffix(2) == ["player-left", "game-ended"])
    }

    @Test("a player who left ranks after those who played on, with any score")
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

    @Test(
        "an absent player wins if the other gives up or loses on time",
        arguments: ["connect-four", "reversi"], [true, false])
    func decidedByTheOther(_ game: String, _ resigns: Bool) throws {
        let table = Table(["turnTime": 600], game: game)
        let isReversi = game == "reversi"
        let cell = table.state.gameView?["legal"]?.list?.first ?? 0
        table.annPage.command(isReversi ? "place" : "drop", [isReversi ? "cell" : "column": cell])
        table.annPage.leave()
        table.hub.pass(61_000)
        if resigns { table.benPage.command("resign") } else { table.hub.pass(600_000) }
        let results = try #require(table.state.lastEnd?.results)
        #expect(results.map(\.place) == [1, 2])
        #expect(results.allSatisfy { !$0.result.isLeftEarly })
    }

    @Test("with turns of an hour or more only their time counts, however long all are gone")
    func longTurns() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 3_600])
        for page in [table.annPage, table.benPage, table.watcher] { page.leave() }
        // Three turns of each run out.
        for _ in 0..<6 { table.hub.pass(3_601_000) }
        table.hub.skip(48 * 3_600_000)
        table.hub.pass(120_000)
        let back = table.hub.join(table.code, table.ann)
        #expect(table.state.phase == .running && table.state.deadline == nil)
        #expect(back.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("a game of one person waits for 24 hours, with a computer too", arguments: [false, true])
    func alone(_ hasComputer: Bool) {
        let waiting = Waiting(hasComputer: hasComputer)
        #expect(waiting.hub.room(waiting.code).lastStart?.options["turnTime"] == 0)
        waiting.page.leave()
        waiting.hub.pass(120_000)
        #expect(waiting.hub.shard.rooms.all.isEmpty)
        waiting.hub.skip(86_190_000)
        waiting.hub.pass(80_000)
        #expect(!waiting.hasEnded)
        waiting.hub.pass(15_000)
        #expect(waiting.hasEnded)
    }

    @Test("a player who has looked in has a minute to come back, even after the 24 hours")
    func lookingIn() {
        let waiting = Waiting()
        waiting.page.leave()
        waiting.hub.skip(86_395_000)
        let back = waiting.hub.join(waiting.code, waiting.ann)
        waiting.hub.pass(60_000)
        back.leave()
        waiting.hub.pass(55_000)
        #expect(!waiting.hasEnded)
        waiting.hub.pass(10_000)
        #expect(waiting.hasEnded)
    }

    @Test("exactly the time in which the hub did not run is added to the 24 hours")
    func outage() {
        let waiting = Waiting()
        waiting.page.leave()
        waiting.hub.pass(120_000)
        waiting.hub.crash(downtime: 3_600_000)
        waiting.hub.skip(86_190_000)
        waiting.hub.pass(80_000)
        #expect(!waiting.hasEnded)
        waiting.hub.pass(30_000)
        #expect(waiting.hasEnded)
    }
}

/// A game of one person.
private struct Waiting {
    let hub = ScriptedHub()
    let ann: ScriptedPlayer
    let code: String
    let page: ScriptedClient

    init(hasComputer: Bool = false) {
        ann = hub.player("Ann")
        code = hub.open(ann)
        page = hub.join(code, ann)
        page.command("sit")
        if hasComputer { page.command("bot", ["seat": 1, "level": "easy"]) }
        page.command("start")
    }

    /// By the log alone, so that no question wakes the room.
    var hasEnded: Bool { hub.storage.records(of: .room(code)).contains { $0.event.type == GameEnded.type } }
}
