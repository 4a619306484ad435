import Cryptography
import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// How a room's log has come to end elsewhere than the room knows.
private enum GoingBack: CaseIterable {
    /// The database fails over while no one does anything.
    case unseen
    /// A command is on its way at that moment.
    case whileAppending
    /// The next command is in conflict because the log is shorter,
    case shorter
    /// as long, with another record,
    case otherwise
    /// or longer, with other records.
    case longer
}

/// A table whose newest flip, which all have seen, is lost.
private struct LosingTable {
    let table = Table()
    var hub: ScriptedHub { table.hub }
    var stream: StreamName { .room(table.code) }
    /// The log before the flip.
    private let replica: InMemoryStorage
    let mover: ScriptedClient
    /// The version to which the log has gone back.
    let version: Int

    init() {
        table.hub.witness.isOn = false
        replica = InMemoryStorage(copying: table.hub.storage)
        version = table.state.version
        mover = table.mover
        mover.command("flip", ["cell": 0], id: "lost")
    }

    func lose(_ way: GoingBack) {
        switch way {
        case .unseen: hub.failOver(to: replica)
        case .whileAppending:
            hub.log.pace = .stepped
            mover.command("flip", ["cell": 1], id: "under way", settling: false)
            hub.log.beginTransaction()
            hub.log.pace = .automatic
            hub.failOver(to: replica)
        case .shorter: cutBack(writing: 0)
        case .otherwise: cutBack(writing: 1)
        case .longer: cutBack(writing: 3)
        }
        hub.pass(10_000)
    }

    /// The flip is gone. Others sit down, which the hub only learns at its next append.
    private func cutBack(writing count: Int) {
        hub.storage.cutBack(stream, to: version)
        hub.seatOthers(on: 2..<2 + count, in: table.code)
        mover.command("flip", ["cell": 1], id: "next")
    }

    /// The log, folded.
    func folded() throws -> RoomState {
        var state = RoomState(code: table.code, games: hub.games)
        for record in hub.storage.records(of: stream) { try state.apply(record) }
        return state
    }
}

@Suite("A room whose log has gone back") struct GoneBackTests {
    @Test("is loaded again, its members are told, and it is played on", arguments: GoingBack.allCases)
    private func goesOn(way: GoingBack) throws {
        let losing = LosingTable()
        let (hub, table) = (losing.hub, losing.table)
        let seen = table.watcher.messages.count
        losing.lose(way)
        let folded = try losing.folded()
        #expect(table.state.end == folded.end)
        for page in table.pages {
            #expect(page.closed == nil)
            let messages = page.messages.dropFirst(page === table.watcher ? seen : 0)
            let greeting = try #require(messages.firstIndex { $0["diverged"] == true })
            #expect(messages.count { $0["type"] == "welcome" && $0["diverged"] == true } == 1)
            // It has the log from there on, event by event.
            let welcomed = try #require(messages[greeting]["version"]?.integer)
            let behind = messages[greeting...].compactMap {
                $0["v"]?.integer == nil || $0["t"] == nil ? nil : $0["v"]?.integer
            }
            #expect(behind == Array(welcomed..<folded.version).map { $0 + 1 })
        }
        #expect(hub.storage.records(of: losing.stream).allSatisfy { !$0.commit.text.hasSuffix("/lost") })
        #expect(table.mover.command("flip", ["cell": 2], id: "after")?["v"]?.integer == table.state.version)
        #expect(table.watcher.versions.last == table.state.version)
        #expect(try losing.folded().end == table.state.end)
    }

    @Test("a lost command is done once when repeated, and one that was not lost is not done again")
    func sentAgain() {
        let losing = LosingTable()
        losing.lose(.unseen)
        for _ in 0..<2 { #expect(losing.mover.command("flip", ["cell": 0], id: "lost")?["type"] == "ok") }
        let count = losing.table.state.version
        let first = losing.hub.storage.records(of: losing.stream).first { $0.commit.text.hasSuffix("/c1") }
        #expect(first != nil)
        #expect(losing.table.annPage.command("sit", id: "c1")?["v"]?.integer == first?.version)
        let records = losing.hub.storage.records(of: losing.stream)
        #expect(records.count { $0.commit.text.hasSuffix("/lost") } == 1)
        #expect(records.count == count)
    }

    @Test("a command under way is done once, and answered once")
    func underWay() {
        let losing = LosingTable()
        losing.lose(.whileAppending)
        let answers = losing.mover.messages.filter { $0["id"] == "under way" }
        #expect(answers.count == 1)
        let records = losing.hub.storage.records(of: losing.stream)
        #expect(records.count { $0.commit.text.hasSuffix("/under way") } == (answers.first?["type"] == "ok" ? 1 : 0))
    }

    @Test("no one is told anything if a failover has lost nothing of the room")
    func nothingLost() {
        let table = Table()
        table.hub.witness.isOn = false
        table.mover.command("flip", ["cell": 0])
        let before = table.watcher.messages.count { $0["type"] == "welcome" }
        table.hub.failOver(to: InMemoryStorage(copying: table.hub.storage))
        table.hub.pass(10_000)
        #expect(table.mover.command("flip", ["cell": 1])?["type"] == "ok")
        #expect(table.watcher.messages.count { $0["type"] == "welcome" } == before)
        #expect(Set(table.watcher.versions).count == table.watcher.versions.count)
    }

    @Test("a member who resumes during the check continues from what the log still has", arguments: [false, true])
    func resumes(hasSeenLost: Bool) throws {
        let losing = LosingTable()
        let (hub, code) = (losing.hub, losing.table.code)
        let edge = try #require(hub.shard.rooms[code]?.edge)
        let after = hasSeenLost ? losing.version + 1 : losing.version - 1
        let head = hub.storage.records(of: losing.stream)[after - 1].hash.hex
        losing.lose(.unseen)
        let known = losing.table.state.version
        // The requested events are not in memory, and the read is still under way.
        edge.recent = RecentEvents()
        hub.log.pace = .stepped
        let page = hub.connect(code)
        page.say(["type": "hello", "after": .integer(losing.version - 1)], settling: false)
        #expect(edge.members.count { $0.resume != nil } == 1)
        let member = try #require(edge.members.first { $0.resume != nil })
        let resume = Resume(of: member, after: after, head: Digest(hex: head))
        (resume.reading, member.resume) = (member.resume?.reading, resume)
        edge.diverge()
        hub.log.pace = .automatic
        hub.settle()
        let greeting = try #require(page.messages.first { $0["type"] == "welcome" || $0["type"] == "resume" })
        #expect(greeting["type"] == (hasSeenLost ? "welcome" : "resume"))
        #expect((greeting["diverged"] == true) == hasSeenLost)
        #expect(losing.table.mover.command("flip", ["cell": 2])?["type"] == "ok")
        #expect(page.versions == Array((hasSeenLost ? known : after) + 1...losing.table.state.version))
    }

    @Test("a room that the log no longer has at all is as if it had never existed")
    func vanished() {
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        let replica = InMemoryStorage(copying: hub.storage)
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        hub.failOver(to: replica)
        hub.pass(10_000)
        #expect(page.closed == .policyViolation)
        page.leave()
        #expect(hub.request("GET", "/api/rooms/\(code)").status == 404)
    }

    @Test("a player whom the log has lost only watches, without a name for the others")
    func lostPlayer() throws {
        let table = Table()
        let hub = table.hub
        hub.witness.isOn = false
        let replica = InMemoryStorage(copying: hub.storage)
        let cat = hub.player("Cat")
        let page = hub.join(table.code, cat)
        #expect(page.last("welcome")?["you"]?.object?["player"] == .string(cat.id))
        hub.failOver(to: replica)
        hub.pass(10_000)
        #expect(page.messages.count { $0["code"] == "unknown-token" } == 1)
        #expect(page.last("welcome")?["you"]?.object?["player"] == nil)
        #expect(page.closed == nil)
        #expect(table.watcher.present.players.contains(cat.id) == false)
        // The name is free again, and the token has no player.
        #expect(hub.join(table.code, cat).messages.contains { $0["code"] == "unknown-token" })
        #expect(hub.player("Cat").id != cat.id)
        #expect(table.mover.command("flip", ["cell": 0])?["type"] == "ok")
    }

    @Test("records at reused positions reach the rows")
    func positionsComeAgain() {
        let table = Table()
        let hub = table.hub
        hub.witness.isOn = false
        hub.pass(6_000)
        let replica = InMemoryStorage(copying: hub.storage)
        let reached = hub.storage.lastPosition
        for number in 0..<20 { _ = hub.player("Lost \(number)") }
        hub.pass(6_000)
        hub.storage.failOver(to: replica)
        // The rows are in the same database.
        hub.write([], reached: reached)
        hub.log.poll()
        hub.pass(3_000)
        hub.log.reconnect()
        hub.settle()
        let dan = hub.player("Dan")
        for _ in 0..<8 {
            hub.log.poll()
            hub.pass(1_000)
        }
        var (names, position): ([String], Int?) = ([], nil)
        let readModels = hub.shard.readModels
        readModels.find(.players(ids: [dan.id])) { names = ((try? $0.get()) ?? []).map(\.name) }
        readModels.position { position = try? $0.get() }
        hub.settle()
        #expect(names == ["Dan"])
        #expect(position == hub.storage.lastPosition)
    }

    @Test("a room with a damaged log does not continue")
    func damaged() {
        let losing = LosingTable()
        losing.hub.storage.cutBack(losing.stream, to: losing.version)
        losing.hub.storage.alter(losing.stream, version: 2, shown: Array("{}".utf8))
        losing.mover.command("flip", ["cell": 1])
        for page in losing.table.pages { #expect(page.closed == .internalError) }
    }
}
