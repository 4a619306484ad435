import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("A room: when things fail") struct RoomFaultTests {
    @Test("nothing is shown before it is durable")
    func durableFirst() {
        let hub = ScriptedHub(pace: .stepped)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let (page, watcher) = (hub.join(code, ann), hub.join(code))
        page.command("sit", settling: false)
        #expect(watcher.last("seat-taken") == nil)
        #expect(page.last("ok") == nil)
        hub.settle()
        #expect(watcher.last("seat-taken") != nil)
        #expect(page.last("ok") != nil)
    }

    @Test("after a crash the reveal fires and the turn's time has not shrunk", arguments: [true, false])
    func crash(keepsRows: Bool) throws {
        let table = Table()
        let deck = table.deck
        let other = try #require(deck.indices.first { deck[$0] != deck[0] })
        table.mover.command("flip", ["cell": .integer(0)])
        table.mover.command("flip", ["cell": .integer(other)])
        table.hub.pass(400)
        table.hub.crash(downtime: 60_000, keepsRows: keepsRows)
        // No one has come back. The room wakes by itself, and the reveal has 600 ms left.
        table.hub.pass(1_000)
        let page = table.hub.join(table.code, table.ann)
        let view = try #require(page.last("welcome")?["view"]?.object)
        #expect(view["up"]?.integers == [])
        #expect(view["awaited"]?.integers == [1] && view["mover"]?.integer == 1)
        let records = table.hub.storage.records(of: .room(table.code))
        #expect(records.count { $0.event.type == "clock-extended" } == 1)
        #expect(records.last { $0.event.type == "hide-card" } != nil)
    }

    @Test("a turn has the same time left after an outage")
    func turnTime() throws {
        let table = Table()
        let deadline = try #require(table.state.deadline)
        table.hub.pass(10_000)
        let left = deadline - table.hub.now
        table.hub.crash(downtime: 500_000)
        let page = table.hub.join(table.code, table.ann)
        let extended = try #require(table.hub.room(table.code).deadline)
        #expect(extended - table.hub.now == left)
        table.hub.pass(left - 1)
        #expect(page.last("turn-expired") == nil)
        table.hub.pass(1)
        #expect(page.last("turn-expired")?["seat"]?.integer == 0)
    }

    @Test("the time of a game excludes outages, also without a turn limit")
    func timePlayed() throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann, ["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 0])
        let page = hub.join(code, ann)
        page.command("sit")
        page.command("start")
        hub.pass(5_000)
        hub.crash(downtime: 3_600_000)
        let back = hub.join(code, ann)
        hub.pass(1_000)
        back.command("close", id: "close")
        let result = try #require(back.last("game-ended")?["results"]?.list?.first?.object)
        #expect(result["time"]?.integer == 6_000)
    }

    @Test("while the log is down a room pauses between its attempts")
    func patience() {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 0])
        table.annPage.leave()
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        table.hub.pass(59_000)
        table.benPage.command("flip", ["cell": 0])
        let before = table.hub.firedCount
        table.hub.pass(60_000)
        #expect(table.hub.firedCount - before < 200)
    }

    @Test("a log that takes no writes refuses commands, and play continues when it is back")
    func unavailable() throws {
        let table = Table()
        let deadline = try #require(table.state.deadline)
        table.hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        table.hub.settle()
        #expect(table.mover.command("flip", ["cell": .integer(0)])?["code"] == "log-unavailable")
        #expect(table.hub.request("GET", "/readyz").status == 503)
        table.hub.pass(100_000)
        #expect(table.watcher.last("turn-expired") == nil)
        table.hub.log.resumeWrites()
        table.hub.settle()
        #expect(table.hub.request("GET", "/readyz").status == 200)
        #expect(table.watcher.last("clock-extended")?["deadline"]?.integer == deadline + 100_000)
        #expect(table.mover.command("flip", ["cell": .integer(0)])?["type"] == "ok")
    }

    @Test("an append whose outcome is unknown is done once", arguments: [true, false])
    func outcomeUnknown(written: Bool) {
        let table = Table()
        table.hub.log.putIn(.outcomeUnknown(written: written))
        #expect(table.mover.command("flip", ["cell": .integer(0)])?["type"] == "ok")
        let records = table.hub.storage.records(of: .room(table.code))
        #expect(records.count { $0.event.type == "show-card" } == 1)
        #expect(table.watcher.versions.count == Set(table.watcher.versions).count)
        #expect(table.watcher.versions.last == records.count)
    }

    @Test("a command that lost against another writer is judged again after the winner's events")
    func conflict() {
        let table = Table()
        let (stream, end) = (StreamName.room(table.code), table.state.end)
        let other = Commit(id: "elsewhere/1", appending: [event(in: table)], to: stream, expecting: end)
        table.hub.witness.isOn = false
        table.hub.log.putIn(.overtaken(by: other))
        #expect(table.mover.command("flip", ["cell": .integer(0)])?["v"]?.integer == end.version + 2)
        #expect(table.watcher.events.suffix(2).map { $0["type"] } == ["seat-taken", "show-card"])
    }

    /// Another player's event, which comes next in the room.
    private func event(in table: Table) -> Event {
        EventCoding.encode(
            .own(SeatTaken(seated: SeatedPlayer(seat: Seat(5), player: "somebody"))), version: table.state.version + 1,
            at: table.hub.now, more: false)
    }

    @Test(
        "a command that another node has written has the log's events, not this node's",
        arguments: [false, true])
    func repeated(isToldLater: Bool) throws {
        let table = Table()
        let (version, page) = (table.state.version, table.mover)
        let player = page === table.annPage ? table.ann : table.ben
        let other = Commit(
            id: "\(player.id)/flip", appending: [event(in: table)], to: .room(table.code), expecting: table.state.end)
        table.hub.witness.isOn = false
        table.hub.log.putIn(.overtaken(by: other, isToldLater: isToldLater))
        page.clear()
        #expect(page.command("flip", ["cell": .integer(0)], id: "flip")?["v"]?.integer == version + 1)
        // The answer comes after its event.
        #expect(page.messages.compactMap { $0["type"]?.string }.filter { $0 != "presence" } == ["seat-taken", "ok"])
        #expect(table.state.seats[Seat(5)] == "somebody")
        #expect(page.command("flip", ["cell": .integer(0)])?["v"]?.integer == version + 2)
    }

    @Test("a command too old to be remembered gets its first answer, and is not done again")
    func repeatedLate() {
        let hub = ScriptedHub(limits: .forManyCommands)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        let first = page.command("sit", ["seat": 0], id: "first")
        for number in 0...AnsweredCommands.limit * 2 { page.command("sit", ["seat": .integer(1 + number % 2)]) }
        let version = hub.room(code).version
        #expect(page.command("sit", ["seat": 0], id: "first")?["v"] == first?["v"])
        #expect(first?["type"] == "ok" && hub.room(code).version == version && version > AnsweredCommands.limit * 2)
    }

    @Test("a room's own commits name the run that made them")
    func ownCommits() throws {
        let table = Table()
        for downtime in [1_000, 1] {
            let deadline = try #require(table.state.deadline)
            table.hub.pass(deadline - table.hub.now)
            table.hub.crash(downtime: downtime)
            _ = table.hub.join(table.code, table.ann)
        }
        let commits = table.hub.storage.records(of: .room(table.code)).map(\.commit.text)
        let own = commits.filter { $0.hasPrefix("hub/") }.map { String($0.split(separator: "/")[1]) }
        let runs = table.hub.runs
        #expect(own.first == runs[0] && own.last == runs[2] && Set(own) == Set(runs) && Set(runs).count == 3)
    }

    @Test("a room whose log was altered does not open")
    func altered() {
        let table = Table()
        table.hub.witness.isOn = false
        table.hub.storage.alter(.room(table.code), version: 2, shown: Array("{}".utf8))
        table.hub.crash(downtime: 1_000)
        let page = table.hub.join(table.code, table.ann)
        #expect(page.closed == .internalError)
        #expect(table.hub.request("GET", "/api/rooms/\(table.code)").status == 503)
    }

    @Test("a room that could not be read is tried again, and its row and deadline are not lost")
    func unread() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let (hub, code) = (table.hub, table.code)
        // The reads of the outages and of all streams, and then of the room.
        hub.crash(downtime: 1_000, keepsRows: false, failedReadings: 3)
        hub.pass(5_000)
        let games = hub.request("GET", "/api/players/me/games", token: table.ann.token).fields["rooms"]?.list
        #expect(games?.first?.object?["code"]?.string == code)
        #expect(hub.request("GET", "/api/rooms/\(code)").status == 200)
    }

    @Test("while the log is down an unreadable room is reported, and leaves nothing behind")
    func unreadWhileDown() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        table.sleep()
        table.hub.log.stopWrites(.cannotWrite(reason: "bad sector"))
        table.hub.settle()
        table.hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
        let refused = table.hub.request("GET", "/api/rooms/\(table.code)")
        #expect(refused.status == 503 && refused.fields["code"] == "log-unavailable")
        table.hub.log.resumeWrites()
        table.hub.settle()
        #expect(table.hub.request("GET", "/api/rooms/\(table.code)").status == 200)
    }

    @Test("a room that was due while the log was down, and could not be read, wakes when the log is back")
    func dueWhileDown() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let hub = table.hub
        table.sleep()
        hub.log.stopWrites(.cannotWrite(reason: "bad sector"))
        hub.settle()
        hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
        hub.pass(600_000)
        hub.log.resumeWrites()
        hub.pass(700_000)
        #expect(hub.storage.records(of: .room(table.code)).contains { $0.event.type == "turn-expired" })
    }

    @Test("a member who does not read is caught up by one welcome, and no one waits for it")
    func behind() throws {
        let table = Table(["columns": .integer(8), "rows": .integer(12), "theme": "numbers", "reveal": .integer(200)])
        table.watcher.isStuck = true
        let deck = table.deck
        for round in 0..<3_000 where table.watcher.queuedBytes <= Member.queueLimitBytes - 512 {
            let cell = round % deck.count
            table.mover.command("flip", ["cell": .integer(cell)])
            table.hub.pass(200)
            if table.state.phase != .running { table.playAgain() }
        }
        for cell in 0..<40 {
            table.mover.command("flip", ["cell": .integer(cell)])
            table.hub.pass(200)
        }
        #expect(table.watcher.queuedBytes <= Member.queueLimitBytes + 1_024)
        let seen = try #require(table.watcher.versions.last)
        #expect(seen < table.state.version)
        table.watcher.isStuck = false
        table.hub.settle()
        #expect(table.watcher.messages.last { $0["type"] == "welcome" }?["version"]?.integer == table.state.version)
    }

    @Test("an empty room sleeps and wakes as it was")
    func sleeps() throws {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let view = table.state.roomView
        table.sleep()
        #expect(table.hub.join(table.code).last("welcome")?["room"]?.object == view)
    }
}
