import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: computers that its game awaits") struct AwaitedComputersTests {
    /// A game in which players step in any order.
    private enum AnyOrder: MischiefNames { static let awaitsAll = true }

    private let thinkTime = HubLimits().thinkTime

    /// The seats of the computers that were asked, in order.
    private func asked(_ hub: ScriptedHub) -> [String] { hub.computers.posted.filter { $0.hasPrefix("move") } }

    private func miss(_ table: Table) {
        let other = table.deck.indices.first { table.deck[$0] != table.deck[0] } ?? 1
        for cell in [0, other] { table.annPage.command("flip", ["cell": .integer(cell)]) }
    }

    /// A table whose second player is absent, and is helped by a computer that thinks about its move.
    private func helpedTable() -> Table {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 600])
        table.benPage.leave()
        table.hub.pass(61_000)
        table.annPage.command("bot", ["seat": 1, "level": "easy"])
        miss(table)
        table.hub.computers.holdReplies()
        table.hub.pass(3_000)
        #expect(table.state.isHelped(Seat(1)) && table.state.awaited == [Seat(1)])
        #expect(asked(table.hub) == ["move 1"])
        return table
    }

    @Test("a computer that thinks while the room changes is not asked again, and its move counts")
    func thinksWhileTheRoomChanges() {
        let table = helpedTable()
        let before = table.state.version
        let cai = table.hub.player("Cai")
        table.hub.join(table.code, cai).command("say", ["text": "Hello"])
        table.annPage.command("mute", ["player": .string(cai.id), "on": true])
        table.annPage.command("visibility", ["visibility": "seeking"])
        #expect(table.state.version == before + 2)
        table.hub.pass(5_000)
        #expect(asked(table.hub) == ["move 1"])
        table.hub.computers.reply()
        table.hub.settle()
        #expect(table.state.version == before + 3)
        #expect(table.watcher.events.last?["type"] == "show-card" && table.watcher.events.last?["seat"] == 1)
        #expect(table.hub.metric("flipside_computer_failures_total") == 0)
    }

    @Test("a computer's move that waits while its player takes the seat back is not judged")
    func playerIsBackFirst() {
        var table = helpedTable()
        table.hub.log.pace = .stepped
        table.benPage = table.hub.connect(table.code)
        table.benPage.say(["type": "hello", "token": .string(table.ben.token)], settling: false)
        while table.hub.log.nextAppend == nil, table.hub.log.waiting > 0 { table.hub.step() }
        // The player's return is on its way to the log when the move comes.
        guard case .append(let events, _, _) = table.hub.log.nextAppend?.parts.first else {
            Issue.record("nothing is on its way")
            return
        }
        #expect(events.map(\.type) == ["seat-returned"])
        table.hub.computers.reply()
        table.hub.wait(1)
        #expect(table.state.isHelped(Seat(1)) && table.hub.log.waiting > 0)
        table.hub.log.pace = .automatic
        table.hub.settle()
        #expect(table.watcher.events.last?["type"] == "seat-returned")
        table.hub.pass(5_000)
        #expect(table.watcher.events.last?["type"] == "seat-returned")
        #expect(table.benPage.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("a computer whose move waited for the log is asked again only after that move")
    func asksAfterTheMove() {
        let table = helpedTable()
        table.hub.log.pace = .stepped
        table.annPage.command("visibility", ["visibility": "seeking"], settling: false)
        table.hub.computers.reply()
        table.hub.wait(5_000)
        // The move has waited longer than a computer thinks.
        #expect(asked(table.hub) == ["move 1"])
        table.hub.log.pace = .automatic
        table.hub.settle()
        #expect(table.watcher.last("visibility-changed") != nil)
        #expect(table.watcher.events.last?["type"] == "show-card" && table.watcher.events.last?["seat"] == 1)
        #expect(table.state.gameView?["up"]?.integers?.count == 1)
        #expect(asked(table.hub) == ["move 1"])
        table.hub.pass(thinkTime)
        #expect(asked(table.hub) == ["move 1", "move 1"])
        #expect(table.hub.metric("flipside_computer_failures_total") == 0)
    }

    @Test("a computer's move that is on its way while the log comes back is not followed by another one at once")
    func logIsBackMeanwhile() {
        let table = helpedTable()
        table.hub.log.pace = .stepped
        table.hub.computers.reply()
        table.hub.wait(1)
        #expect(table.hub.log.nextAppend != nil && asked(table.hub) == ["move 1"])
        for room in table.hub.shard.rooms.all { room.logIsBack() }
        table.hub.wait(5_000)
        #expect(asked(table.hub) == ["move 1"])
        table.hub.log.pace = .automatic
        table.hub.settle()
        table.hub.pass(thinkTime)
        // Its second card.
        #expect(asked(table.hub) == ["move 1", "move 1"])
    }

    /// A game in any order, of people in the first seats and computers in the others.
    private struct Crowd {
        let hub: ScriptedHub
        let code: String
        let pages: [ScriptedClient]

        init(people: Int, computers: Int, limits: HubLimits = HubLimits()) {
            let hub = ScriptedHub(limits: limits, games: GameList.all + [MischievousGame<AnyOrder>.self])
            let players = ["Ann", "Ben"].prefix(people).map { hub.player($0) }
            let code = hub.open(players[0], [:], game: "mischief")
            (self.hub, self.code) = (hub, code)
            pages = players.map { hub.join(code, $0) }
            for page in pages { page.command("sit") }
            for seat in people..<(people + computers) {
                pages[0].command("bot", ["seat": .integer(seat), "level": "only"])
            }
            pages[0].command("start")
        }

        var awaited: [Int]? { hub.room(code).gameView?["awaited"]?.integers }
        var steps: [Int]? { hub.room(code).gameView?["steps"]?.integers }
    }

    @Test("computers that a game awaits at once are all asked after their time to think, though others are faster")
    func allAtOnce() {
        let crowd = Crowd(people: 1, computers: 2)
        let hub = crowd.hub
        #expect(crowd.awaited == [0, 1, 2])
        hub.pass(thinkTime - 100)
        crowd.pages[0].command("step")
        #expect(crowd.steps == [0] && asked(hub).isEmpty)
        hub.pass(100)
        #expect(crowd.steps == [0, 1, 2] && asked(hub) == ["move 1", "move 2"])
        hub.pass(thinkTime - 100)
        #expect(crowd.steps == [0, 1, 2])
        hub.pass(100)
        #expect(crowd.steps == [0, 1, 2, 1, 2] && asked(hub) == ["move 1", "move 2", "move 1", "move 2"])
        crowd.pages[0].command("step")
        #expect(crowd.pages[0].last("game-ended")?["reason"] == "finished")
        #expect(crowd.awaited == [])
        #expect(hub.metric("flipside_computer_failures_total") == 0)
    }

    @Test("a computer's time to think begins when the game begins to await it")
    func eachInItsTime() {
        let crowd = Crowd(people: 2, computers: 1, limits: .with { $0.thinkTime = 100_000 })
        let hub = crowd.hub
        crowd.pages[1].leave()
        hub.pass(61_000)
        #expect(crowd.pages[0].command("bot", ["seat": 1, "level": "only"])?["type"] == "ok")
        hub.pass(35_000)
        #expect(asked(hub).isEmpty)
        hub.pass(10_000)
        #expect(crowd.steps == [2] && asked(hub) == ["move 2"])
        hub.pass(50_000)
        #expect(crowd.steps == [2])
        hub.pass(10_000)
        #expect(crowd.steps == [2, 1] && asked(hub) == ["move 2", "move 1"])
    }
}
