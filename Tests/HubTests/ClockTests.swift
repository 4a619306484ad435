import EventStore
import Games
import Logging
import Testing
import Transport

@testable import Hub
@testable import RoomRules

@Suite("Setting a clock") struct ClockTests {
    /// A game of 20 s a turn, which has just begun.
    static var table: Table { Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 20]) }
    static let steps: [Milliseconds] = [
        1_000, -1_000, 3_000, -3_000, 20_000, -20_000, 600_000, -600_000, 3_600_000, -3_600_000, 80_000_000,
        -80_000_000,
    ]

    @Test("while the hub runs no deadline moves, and a turn has its whole time", arguments: steps)
    func running(step: Milliseconds) throws {
        let table = Self.table
        let deadline = try #require(table.state.deadline)
        table.hub.pass(5_000)
        table.hub.time.setWall(by: step)
        table.hub.pass(1_000)
        #expect(table.hub.room(table.code).deadline == deadline)
        #expect(deadline - table.hub.now == 14_000)
        table.hub.pass(13_999)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("turn-expired") != nil)
        #expect(table.watcher.last("clock-extended") == nil)
    }

    @Test("a result belongs to its day in hub time, whatever the wall clock says")
    func days() {
        let table = Self.table
        table.playOut()
        table.hub.time.setWall(by: 3 * Self.day)
        table.hub.pass(1_500)
        let today = table.hub.request("GET", "/api/leaderboard?span=day").fields["results"]?.list
        #expect(today?.count == 2)
        table.hub.time.pass(Self.day)
        table.hub.settle()
        #expect(table.hub.request("GET", "/api/leaderboard?span=day").fields["results"]?.list?.isEmpty == true)
    }

    @Test("a reveal and a turn have the same time left after a restart", arguments: steps)
    func restart(step: Milliseconds) throws {
        let table = Self.table
        let deck = table.deck
        let other = try #require(deck.indices.first { deck[$0] != deck[0] })
        table.mover.command("flip", ["cell": 0])
        table.mover.command("flip", ["cell": .integer(other)])
        table.hub.pass(400)
        let left = try #require(table.state.deadline) - table.hub.now
        table.hub.crash(downtime: 30_000, step: step)
        let page = table.hub.join(table.code, table.ann)
        let until = try #require(page.last("welcome")?["view"]?.object?["revealUntil"]?.integer)
        let now = try #require(page.last("welcome")?["now"]?.integer)
        // A clock that was set back by more than the hub was down hides that it was down: no time seems to have passed.
        #expect((left - 1...left).contains(until - now))
        table.hub.pass(left)
        #expect(page.last("hide-card") != nil)
        let times = table.hub.storage.records(of: .room(table.code)).map(\.event.time)
        #expect(times == times.sorted())
    }

    @Test("a hub without a note, killed too soon or restored from a backup, was down since its newest record")
    func killedBeforeTheNote() throws {
        let table = Self.table
        let (deadline, newest) = (try #require(table.state.deadline), table.hub.now)
        table.hub.pass(500)
        table.hub.crash(downtime: 30_000, keepsNote: false)
        _ = table.hub.join(table.code, table.ann)
        #expect(table.hub.room(table.code).deadline == deadline + table.hub.now - newest)
        #expect(!table.hub.storage.records(of: .room(table.code)).contains { $0.event.type == "turn-expired" })
    }

    @Test("a log that nodes begin to share was not played since its newest record")
    func carriedOver() throws {
        let table = Self.table
        let newest = try #require(table.hub.storage.records.map(\.event.time).max())
        let wall = table.hub.now + 30_000
        func boot() throws -> HubBoot {
            try HubBoot(
                HubOptions(transport: TransportOptions(addresses: [])),
                storage: ScriptedStorage(log: table.hub.storage, sharedBy: { wall }), time: table.hub.time,
                random: SeededRandom(7), logger: Logger(label: "test"))
        }
        let now = try boot().clock.now()
        func outages() -> [Outage] { table.hub.storage.records(of: .hub).compactMap { Outage($0) } }
        #expect(outages().last == Outage(from: newest, until: now) && now >= wall)

        // Once a node has joined, only the nodes' records count.
        let node = NodeRun(node: NodeName("a"), run: "1", address: "")
        let commit = NodeRecord.joined(node, at: now).commit(expecting: table.hub.storage.end(of: .hub))
        InMemoryLog(storage: table.hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
        let count = outages().count
        _ = try boot()
        #expect(outages().count == count)
    }

    @Test("a hub without a note of its last sign of life starts at the newest time in the log")
    func withoutNote() throws {
        let table = Self.table
        table.hub.pass(60_000)
        let newest = try #require(table.hub.storage.records.map(\.event.time).max())
        table.hub.time.setWall(by: -3_600_000)
        #expect(try table.hub.boot(lastSignOfLife: nil).clock.now() == newest)
        #expect(try table.hub.boot(lastSignOfLife: newest + 700).clock.now() == newest + 700)
        table.hub.time.setWall(by: 7_200_000)
        #expect(try table.hub.boot(lastSignOfLife: newest).clock.now() > newest + 3_000_000)
    }

    static let day = 86_400_000

    @Test("a log over a day ahead is refused unless the operator says which clock is right")
    func ahead() throws {
        let table = Self.table
        let newest = table.hub.now
        table.hub.time.setWall(by: -Self.day)
        #expect(try table.hub.boot().clock.now() == newest)
        table.hub.time.setWall(by: -1)
        let error = ClockAheadError(log: newest, system: newest - Self.day - 1)
        #expect(throws: error) { try table.hub.boot() }
        #expect("\(error)".contains("2023-11-14T22:13:20Z"))
        #expect("\(error)".contains("--clock"))
        #expect(throws: error) { try table.hub.boot(lastSignOfLife: newest) }
        #expect(try table.hub.boot(trusting: .log).clock.now() == newest)
        #expect(throws: error) { try table.hub.boot() }
        #expect(try table.hub.boot(trusting: .system).clock.now() == newest - Self.day - 1)
        // Said once, it holds: what the wrong clock has written does not affect later starts.
        table.hub.time.pass(3_000)
        #expect(try table.hub.boot().clock.now() == newest - Self.day - 1 + 3_000)
    }

    @Test("after the right clock was named, a later wrong one is still noticed")
    func aheadAgain() throws {
        let table = Self.table
        table.hub.crash(downtime: 0, step: -30 * Self.day, trusting: .system)
        table.hub.pass(2 * Self.day)
        let now = table.hub.now
        table.hub.time.setWall(by: -3_600_000)
        #expect(try table.hub.boot(lastSignOfLife: now).clock.now() == now)
        table.hub.time.setWall(by: -3 * Self.day)
        #expect(throws: ClockAheadError.self) { try table.hub.boot(lastSignOfLife: now) }
    }

    @Test("any number in the note of life starts a hub or is refused", arguments: [Int.min, -1, 0, Int.max])
    func notes(time: Milliseconds) throws {
        let hub = ScriptedHub()
        if time > 0 {
            #expect(throws: ClockAheadError.self) { try hub.boot(lastSignOfLife: time) }
        } else {
            #expect(try hub.boot(lastSignOfLife: time).clock.now() == hub.now)
        }
    }

    @Test("a room that a wrong clock has led astray plays on once the system's clock was named right")
    func ledAway() throws {
        let table = Self.table
        let deadline = try #require(table.state.deadline)
        table.hub.pass(5_000)
        table.hub.crash(downtime: 0, step: -30 * Self.day, trusting: .system)
        let page = table.hub.join(table.code, table.ann)
        let ben = table.hub.join(table.code, table.ben)
        let now = try #require(page.last("welcome")?["now"]?.integer)
        // The time between the room's last event and the crash is unknown, and no one loses by that.
        #expect(deadline - now == 20_000)
        #expect(page.command("flip", ["cell": 0])?["type"] == "ok")
        table.hub.pass(20_000)
        #expect(ben.last("turn-expired")?["t"]?.integer == deadline)
        ben.say(["type": "ping", "n": 1])
        #expect(ben.last("pong")?["now"]?.integer == deadline)
        // The hub itself does not follow that clock, neither now nor at a later start.
        #expect(table.hub.now < deadline - 29 * Self.day)
        table.hub.crash(downtime: 1_000)
        #expect(table.hub.now < deadline - 29 * Self.day)
    }
}
